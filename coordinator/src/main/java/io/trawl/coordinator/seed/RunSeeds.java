package io.trawl.coordinator.seed;

import io.trawl.ledger.SeedDomains;
import io.trawl.coordinator.seed.AdmittedSeeds.AddedDomains;
import java.util.stream.Stream;
import io.trawl.model.FetchOptions;
import io.trawl.definition.url.DiscoverRules;
import io.trawl.admission.UrlNormalizer;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.AdmissionVerdict;
import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.coordinator.lifecycle.SeedProgress.RefusedSeed;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.coordinator.queue.BatchCapacity;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.RefusalReason;
import io.trawl.scope.LinkFacts;
import io.trawl.scope.ScopeRules;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Request.RequestIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The seeds of one run in one batch. Not thread-safe. */
final class RunSeeds {
    private final CrawlStatus status;
    private final ScopeRules scope;
    private final boolean newDomains;
    /** Whether pages have intervals, and their next visits a place from which the next refresh reads. */
    private final boolean paced;
    private final Optional<SeedDomainSet> seedDomains;
    private final Set<String> addedDomains = new HashSet<>();
    private Domains domains;
    private final List<PendingSeed> pending = new ArrayList<>();
    private final List<PendingSeed> unknown = new ArrayList<>();
    private final Set<String> unknownRobots = new HashSet<>();
    private final List<Request> requests = new ArrayList<>();
    private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
    private final List<RefusedSeed> refusedSeeds = new ArrayList<>();
    private final List<PendingSeed> due = new ArrayList<>();
    private final List<PendingSeed> nearer = new ArrayList<>();
    private final Map<String, Integer> rules = new HashMap<>();

    /**
     * A seed that has passed all rules but the ledger's.
     *
     * @param named whether its domain is accepted without it
     */
    private record PendingSeed(Admitted admitted, IncomingSeed seed, int priority, boolean named,
            Optional<String> robots) {
        int depth() {
            return seed.seed().depth().orElse(0);
        }

        FetchOptions options() {
            return seed.seed().options();
        }
    }

    /**
     * @param domains the accepted domains of the run; if there are none, the domain of the first seed is accepted
     * @param seedDomains those that runs accept for their seeds, if this one does
     */
    RunSeeds(CrawlStatus status, Domains domains, SeedDomainSet seedDomains) {
        this.seedDomains = Optional.of(seedDomains).filter(_ -> status.definition().scope().ofSeeds());
        this.status = status;
        this.scope = status.definition().scopeRules();
        this.domains = domains;
        this.paced = status.visits().isPresent() && status.unpromoted().isEmpty()
                && status.definition().refreshRules().paced();
        this.newDomains = domains.domains().isEmpty() && this.seedDomains.isEmpty();
    }

    CrawlStatus status() {
        return status;
    }

    ScopeRules scope() {
        return scope;
    }

    /** Checks the domain of a seed that has passed the previous rules. */
    AdmissionVerdict admit(Candidate.Open open, IncomingSeed seed, int priority, long nextDomainsVersion) {
        if (newDomains && domains.domains().isEmpty()) {
            domains = new Domains(status.run(), nextDomainsVersion, Set.of(open.domain()));
        }
        AdmissionVerdict named = open.verdict(domains.domains());
        AdmissionVerdict admissionVerdict = seedDomains.isPresent() ? open.admitted() : named;
        if (admissionVerdict instanceof Admitted admitted) {
            IncomingSeed sent = new IncomingSeed(seed.entry(),
                    status.definition().fetch().sent(seed.seed(), admitted.url()), seed.trace());
            pending.add(new PendingSeed(admitted, sent, priority, named instanceof Admitted, robots(admitted, seed)));
        }
        return admissionVerdict;
    }

    /** The robots.txt of the host of a seed, if the crawl reads sitemaps and the seed is none itself. */
    private Optional<String> robots(Admitted admitted, IncomingSeed seed) {
        return discover().from().sitemaps() && !seed.seed().options().source()
                && UrlNormalizer.resolve(admitted.url(), "/robots.txt") instanceof NormalUrl(String url)
                        ? Optional.of(url)
                        : Optional.empty();
    }

    void refuse(ConsumerRecord<byte[], byte[]> seed, RefusalReason reason) {
        refused.merge(reason, 1, Integer::sum);
        refusedSeeds.add(new RefusedSeed(seed, reason));
    }

    void refuse(ConsumerRecord<byte[], byte[]> seed, Refusal refusal) {
        refuse(seed, refusal.reason());
        refusal.rule().ifPresent(rule -> rules.merge(rule, 1, Integer::sum));
    }

    /**
     * Refuses the seeds that the ledger knows, unless they make a page due, and looks for hosts whose robots.txt it
     * does not know.
     */
    void askLedger(Ledger ledger) {
        List<String> files = pending.stream().map(PendingSeed::robots).flatMap(Optional::stream).distinct().toList();
        List<UrlFacts> known = ledger.lookUp(status.run(),
                Stream.concat(pending.stream().map(this::identity), robots(files)).map(Fingerprint::of).toList());
        for (int i = 0; i < files.size(); i++) {
            if (emits(known.get(pending.size() + i), discover().sitemapDepth())) {
                unknownRobots.add(files.get(i));
            }
        }
        for (int i = 0; i < pending.size(); i++) {
            if (emits(known.get(i), pending.get(i).depth())) {
                unknown.add(pending.get(i));
            } else if (paced && !SeedRecord.ofDefinition(pending.get(i).seed().entry())) {
                due.add(pending.get(i));
            } else {
                if (LedgerRules.nearer(known.get(i), inLedger(pending.get(i).depth()))) {
                    nearer.add(pending.get(i));
                }
                refuse(pending.get(i).seed().entry(), RefusalReason.SEEN);
            }
        }
    }

    private boolean emits(UrlFacts known, int depth) {
        return status.depthMode().emits(known, inLedger(depth));
    }

    private DiscoverRules discover() {
        return status.definition().discover();
    }

    private static Stream<String> robots(List<String> files) {
        return files.stream().map(url -> RequestIdentity.of(url, FetchOptions.ofSource(FetchOptions.ROBOTS)));
    }

    private String identity(PendingSeed seed) {
        return status.definition().identity().identity(seed.admitted().url(), seed.options());
    }

    /** The priorities of the seeds that the ledger does not know and that have no reserved place. */
    List<Integer> withoutPlace() {
        return unknown.stream().filter(w -> w.seed().place().isEmpty()).map(PendingSeed::priority).toList();
    }

    /**
     * Admits the seeds that are new in this batch and for which there is capacity.
     *
     * @return the seeds without capacity
     */
    List<IncomingSeed> fill(BatchCapacity batchCapacity, LongSupplier ids) {
        Set<String> batch = new HashSet<>();
        List<IncomingSeed> full = new ArrayList<>();
        for (PendingSeed w : unknown) {
            if (batch.contains(identity(w))) {
                refuse(w.seed().entry(), RefusalReason.SEEN);
            } else if (batchCapacity.take(w.priority(), w.seed().place().isPresent())) {
                batch.add(identity(w));
                accept(w);
                requests.add(request(w, ids).withTrace(w.seed().trace()));
                w.robots().filter(unknownRobots::remove).ifPresent(url -> requests.add(robots(url, w, ids)));
            } else {
                refuse(w.seed().entry(), RefusalReason.CHANNEL_FULL);
                full.add(w.seed());
            }
        }
        return full;
    }

    private Request request(PendingSeed seed, LongSupplier ids) {
        return RequestBuilder.builder().id(new RequestId(ids.getAsLong())).run(status.run()).url(seed.admitted().url())
                .host(seed.admitted().host()).depth(seed.depth()).priority(seed.priority())
                .canonical(status.definition().identity().canonical(seed.admitted().url(), seed.options())).seed(true)
                .domains(domainsVersion()).definition(status.version()).options(seed.options()).build();
    }

    /** What {@code visits} says of the pages that are due, since a seed asks for them, or nearer than they were. */
    List<Request> marks(LongSupplier ids, Instant now) {
        return Stream.concat(due.stream().map(seed -> LinkFacts.dueMark(request(seed, ids), now)),
                nearer.stream().map(seed -> request(seed, ids).withoutOptions())).toList();
    }

    /** The seeds that make a known page due. */
    List<ConsumerRecord<byte[], byte[]>> due() {
        return due.stream().map(seed -> seed.seed().entry()).toList();
    }

    private void accept(PendingSeed seed) {
        String domain = seed.admitted().domain();
        if (!seed.named() && seedDomains.filter(known -> !known.accepts(status.run(), domain)).isPresent()) {
            addedDomains.add(domain);
        }
    }

    /** That of the accepted domains for a request that is made now. */
    private long domainsVersion() {
        return seedDomains.map(known -> known.version(status.run()) + (addedDomains.isEmpty() ? 0 : 1))
                .orElse(domains.version());
    }

    /** 0 for the first ones: these are all. */
    private long before() {
        long version = domainsVersion() - 1;
        return version == SeedDomains.EMPTY ? 0 : version;
    }

    /** The domains that these seeds add to those of the seeds before, and the version before. */
    Optional<AddedDomains> added() {
        return addedDomains.isEmpty()
                ? Optional.empty()
                : Optional.of(new AddedDomains(before(), new SeedDomains(domainsVersion(), addedDomains)));
    }

    /** The request that leads to the sitemaps of a seed's host. Like a link it needs no room at its priority. */
    private Request robots(String url, PendingSeed seed, LongSupplier ids) {
        return RequestBuilder.builder().id(new RequestId(ids.getAsLong())).run(status.run()).url(url)
                .host(seed.admitted().host()).depth(discover().sitemapDepth()).priority(seed.priority())
                .domains(domainsVersion()).options(FetchOptions.ofSource(FetchOptions.ROBOTS)).build()
                .withTrace(seed.seed().trace());
    }

    List<RefusedSeed> refused() {
        return refusedSeeds;
    }

    List<Request> requests() {
        return requests;
    }

    List<Fact> facts() {
        return requests.stream()
                .map(r -> new Fact(Fingerprint.of(r.identity()), UrlFacts.requested(inLedger(r.depth())))).toList();
    }

    private int inLedger(int depth) {
        return status.depthMode().inLedger(depth);
    }

    /** The domains, if this batch has added the first one; a seed that was refused for lack of capacity adds none. */
    Optional<Domains> accepted() {
        return newDomains && !requests.isEmpty() ? Optional.of(domains) : Optional.empty();
    }

    LedgerRecord ledgerRecord() {
        List<EmittedRequest> emittedRequest = requests.stream()
                .map(r -> new EmittedRequest(r.id(), r.priority(), r.depth())).toList();
        return new LedgerRecord(status.run(), emittedRequest, List.of(), refused, rules, List.of(), 0, Optional.empty())
                .accepting(added().map(AddedDomains::added));
    }
}
