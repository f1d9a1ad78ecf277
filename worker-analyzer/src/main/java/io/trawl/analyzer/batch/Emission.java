package io.trawl.analyzer.batch;

import io.trawl.admission.Admitted;
import io.trawl.admission.Candidate;
import io.trawl.admission.DomainQuestions;
import io.trawl.admission.Refused;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Decides which of the references that a batch found become requests: one question about domains, one about the ledger. A URL that is found at several
 * depths is emitted at the smallest of them alone.
 */
final class Emission {
    private final CrawlRun run;
    private final DepthMode mode;
    private final int levels;
    private final LongSupplier ids;
    private final List<Request> requests = new ArrayList<>();
    private final List<Ledger.Fact> facts = new ArrayList<>();
    private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
    private final List<StraySeed> strays = new ArrayList<>();

    /** A reference that admission let in. */
    private record Passed(Found found, Admitted target) {}

    /** One that must be looked up. */
    private record Asked(Passed passed, Fingerprint print) {}

    /**
     * @param levels of priority that the deployment has
     * @param ids random numbers, one for each request
     */
    Emission(CrawlRun run, DepthMode mode, int levels, LongSupplier ids) {
        this.run = run;
        this.mode = mode;
        this.levels = levels;
        this.ids = ids;
    }

    /** @param found of the whole batch, in offset order within each partition */
    void decide(List<Found> found, DomainQuestions domains, Ledger ledger) {
        if (found.isEmpty()) {
            return;
        }
        List<Found> byDepth = new ArrayList<>(found);
        byDepth.sort(Comparator.comparingInt(Found::depth));
        byDepth.forEach(f -> domains.add(run, f.candidate(), f.from().domains()));
        domains.ask();
        List<Passed> passed = new ArrayList<>();
        for (Found f : byDepth) {
            switch (domains.verdict(run, f.candidate())) {
                case Admitted yes -> passed.add(new Passed(f, yes));
                case Refused no -> refuse(f, no);
            }
        }
        List<Asked> asked = unknownHere(passed, ledger);
        emit(asked, domains.version(run), known(asked, ledger));
    }

    private void refuse(Found found, Refused no) {
        count(no.reason());
        if (found.seed() && no.reason() == RefusalReason.DOMAIN && found.candidate() instanceof Candidate.Open target) {
            strays.add(new StraySeed(found.from().url(), target.url(), target.domain()));
        }
    }

    /** Leaves out what this process has been told already: the navigation that every page of a site repeats costs no call. */
    private List<Asked> unknownHere(List<Passed> passed, Ledger ledger) {
        Map<String, Fingerprint> prints = new HashMap<>();
        List<Asked> unknown = new ArrayList<>();
        for (Passed p : passed) {
            Fingerprint print = prints.computeIfAbsent(p.target().url(), Fingerprint::of);
            if (ledger.surelyKnown(run, print, mode.inLedger(p.found().depth()))) {
                count(RefusalReason.SEEN);
            } else {
                unknown.add(new Asked(p, print));
            }
        }
        return unknown;
    }

    /** What the ledger knows about each URL, asked once. */
    private Map<Fingerprint, UrlFacts> known(List<Asked> asked, Ledger ledger) {
        List<Fingerprint> prints = asked.stream().map(Asked::print).distinct().toList();
        List<UrlFacts> facts = prints.isEmpty() ? List.of() : ledger.lookUp(run, prints);
        Map<Fingerprint, UrlFacts> known = new HashMap<>();
        for (int i = 0; i < prints.size(); i++) {
            known.put(prints.get(i), facts.get(i));
        }
        return known;
    }

    private void emit(List<Asked> asked, long version, Map<Fingerprint, UrlFacts> known) {
        for (Asked a : asked) {
            Passed p = a.passed();
            UrlFacts requested = UrlFacts.requested(mode.inLedger(p.found().depth()));
            UrlFacts before = known.getOrDefault(a.print(), UrlFacts.NOTHING);
            if (LedgerRules.emits(before, requested.known())) {
                // From here on this batch knows it; nobody else may before the commit.
                known.put(a.print(), before.and(requested));
                facts.add(new Ledger.Fact(a.print(), requested));
                requests.add(request(p.found(), p.target(), version));
            } else {
                count(RefusalReason.SEEN);
            }
        }
    }

    private Request request(Found found, Admitted target, long version) {
        Request from = found.from();
        return new Request(new RequestId(ids.getAsLong()), run, target.url(), target.host(), found.depth(),
                Math.clamp(from.priority(), 0, levels - 1),
                found.redirects(), found.seed(), Math.max(from.domains(), version), Optional.of(from.url()),
                found.options(target.host()), from.trace());
    }

    private void count(RefusalReason reason) {
        refused.merge(reason, 1, Integer::sum);
    }

    /** In the order of their depths. */
    List<Request> requests() {
        return requests;
    }

    /** What may be announced once the requests are committed. */
    List<Ledger.Fact> facts() {
        return facts;
    }

    Map<RefusalReason, Integer> refused() {
        return refused;
    }

    List<StraySeed> strays() {
        return strays;
    }
}
