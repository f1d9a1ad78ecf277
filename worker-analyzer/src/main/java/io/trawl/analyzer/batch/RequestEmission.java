package io.trawl.analyzer.batch;

import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.Candidate;
import io.trawl.admission.DomainLookup;
import io.trawl.admission.Refusal;
import io.trawl.definition.url.IdentityRules;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Decides which references of a batch become requests, with one call for the domains and one for the ledger. A request
 * that occurs at several depths is emitted only at the smallest.
 */
final class RequestEmission {
    private final CrawlRun run;
    private final DepthMode mode;
    private final int levels;
    private final boolean closed;
    private final long definition;
    private final IdentityRules identity;
    private final LongSupplier ids;
    private final List<Request> requests = new ArrayList<>();
    private final List<Ledger.Fact> facts = new ArrayList<>();
    private final RefusalCounts refused = new RefusalCounts();
    private final List<StraySeed> strays = new ArrayList<>();
    private final List<Request> marks = new ArrayList<>();

    /** A reference that admission accepted. */
    private record Accepted(FoundReference found, Admitted target) {
        /** Whether it is where a page leads by itself that has another way on. */
        boolean onlyBeside(List<Accepted> all) {
            return found.onward() && all.stream()
                    .anyMatch(other -> other.found.from() == found.from() && !other.found.onward()
                            && !other.found.requisite() && !other.target.url().equals(target.url())
                            && !other.target.url().equals(found.from().url()));
        }
    }

    /** An admitted reference that must be looked up in the ledger. */
    private record LookUp(Accepted accepted, Fingerprint print) {}

    /**
     * @param levels number of priorities of the deployment
     * @param closed whether the crawl gets no new request: links are refused; redirects of what waited are followed,
     * and requisites of pages are fetched
     * @param definition the version of the definition that admitted the references
     * @param identity which URLs are names of one page
     * @param ids supplies a random id for each request
     */
    RequestEmission(CrawlRun run, DepthMode mode, int levels, boolean closed, long definition, IdentityRules identity,
            LongSupplier ids) {
        this.run = run;
        this.mode = mode;
        this.levels = levels;
        this.closed = closed;
        this.definition = definition;
        this.identity = identity;
        this.ids = ids;
    }

    /**
     * @param found of the whole batch, in offset order within each partition
     * @param dates of the sources among them
     */
    void decide(List<FoundReference> foundReference, SourceDates dates, DomainLookup domains, Ledger ledger) {
        if (foundReference.isEmpty()) {
            return;
        }
        List<FoundReference> byDepth = new ArrayList<>(foundReference);
        byDepth.sort(Comparator.comparingInt(FoundReference::depth));
        byDepth.forEach(f -> domains.add(run, f.candidate(), f.from().domains()));
        domains.ask();
        List<Accepted> accepted = new ArrayList<>();
        for (FoundReference f : byDepth) {
            switch (domains.verdict(run, f.candidate())) {
                case Admitted yes -> accepted.add(new Accepted(f, yes));
                case Refusal no -> refuse(f, no);
            }
        }
        List<LookUp> lookUps = unknownHere(accepted.stream().filter(one -> !one.onlyBeside(accepted)).toList(), ledger);
        accepted.stream().filter(one -> dates.changed(one.found()))
                .forEach(one -> marks.add(request(one.found(), one.target(), 0)));
        emit(lookUps, domains.version(run), known(lookUps, ledger));
    }

    private void refuse(FoundReference foundReference, Refusal no) {
        count(no.reason());
        if (foundReference.seed() && no.reason() == RefusalReason.DOMAIN
                && foundReference.candidate() instanceof Candidate.Open target) {
            strays.add(new StraySeed(foundReference.from().url(), target.url(), target.domain()));
        }
    }

    /**
     * Drops the requests that this process has cached as known: links that every page of a site repeats cost no call.
     */
    private List<LookUp> unknownHere(List<Accepted> accepted, Ledger ledger) {
        Map<String, Fingerprint> prints = new HashMap<>();
        List<LookUp> unknown = new ArrayList<>();
        for (Accepted p : accepted) {
            Fingerprint print = prints.computeIfAbsent(identity.identity(p.target().url(), p.found().wanted()),
                    Fingerprint::of);
            if (!p.found().awaitsAnswer() && ledger.surelyKnown(run, print, mode.inLedger(p.found().depth()))) {
                seen(p.found());
            } else {
                unknown.add(new LookUp(p, print));
            }
        }
        return unknown;
    }

    /** Looks up all distinct requests in one call to the ledger. */
    private Map<Fingerprint, UrlFacts> known(List<LookUp> lookUps, Ledger ledger) {
        List<Fingerprint> prints = lookUps.stream().map(LookUp::print).distinct().toList();
        List<UrlFacts> facts = prints.isEmpty() ? List.of() : ledger.lookUp(run, prints);
        Map<Fingerprint, UrlFacts> known = new HashMap<>();
        for (int i = 0; i < prints.size(); i++) {
            known.put(prints.get(i), facts.get(i));
        }
        return known;
    }

    private void emit(List<LookUp> lookUps, long version, Map<Fingerprint, UrlFacts> known) {
        for (LookUp a : lookUps) {
            Accepted p = a.accepted();
            UrlFacts requested = UrlFacts.requested(mode.inLedger(p.found().depth()));
            UrlFacts before = known.getOrDefault(a.print(), UrlFacts.NOTHING);
            if (!mode.emits(before, requested.known()) && !p.found().awaitsAnswer()) {
                if (LedgerRules.nearer(before, requested.known())) {
                    learnt(a.print(), requested, known);
                    marks.add(request(p.found(), p.target(), version).withoutOptions());
                }
                seen(p.found());
            } else if (closed && p.found().redirect().isEmpty() && !p.found().requisite()) {
                count(RefusalReason.CLOSED);
            } else {
                learnt(a.print(), requested, known);
                requests.add(request(p.found(), p.target(), version));
            }
        }
    }

    /** Visible only to this batch: other processes must not learn it before the commit. */
    private void learnt(Fingerprint print, UrlFacts requested, Map<Fingerprint, UrlFacts> known) {
        known.merge(print, requested, UrlFacts::and);
        facts.add(new Ledger.Fact(print, requested));
    }

    private Request request(FoundReference foundReference, Admitted target, long version) {
        Request from = foundReference.from();
        return RequestBuilder.builder().id(new RequestId(ids.getAsLong())).run(run).url(target.url())
                .canonical(identity.canonical(target.url(), foundReference.wanted())).host(target.host())
                .depth(foundReference.depth()).priority(Math.clamp(foundReference.priority(), 0, levels - 1))
                .redirects(foundReference.redirects()).seed(foundReference.seed())
                .domains(Math.max(from.domains(), version)).definition(definition).parent(Optional.of(from.url()))
                .options(foundReference.options(target.host())).chain(foundReference.chain()).trace(from.trace())
                .build();
    }

    /** That all pages of a site need the same files is nothing to count. */
    private void seen(FoundReference found) {
        if (!found.requisite()) {
            count(RefusalReason.SEEN);
        }
    }

    private void count(RefusalReason reason) {
        refused.add(reason);
    }

    /** What {@code visits} says of known pages: that a source dates them later, or that a shorter way leads to them. */
    List<Request> marks() {
        return marks;
    }

    /** The new requests, ordered by depth. */
    List<Request> requests() {
        return requests;
    }

    /** The facts to announce after the commit. */
    List<Ledger.Fact> facts() {
        return facts;
    }

    RefusalCounts refused() {
        return refused;
    }

    List<StraySeed> strays() {
        return strays;
    }
}
