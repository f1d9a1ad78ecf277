package io.trawl.coordinator.seed;

import io.trawl.admission.Admitted;
import io.trawl.admission.Candidate;
import io.trawl.admission.Verdict;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.coordinator.queue.Room;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.Emitted;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** The seeds of one run in one batch. Not thread-safe. */
final class RunSeeds {
    /** A seed at depth 0 is compared as such in both modes of the ledger. */
    private static final int DEPTH = 0;
    private final CrawlStatus status;
    private final boolean newDomains;
    private Domains domains;
    private final List<Waiting> waiting = new ArrayList<>();
    private final List<Waiting> unknown = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);

    /** A seed that every rule but the ledger's has let in. */
    private record Waiting(Admitted admitted, Incoming seed, int priority, long domains) {}

    /**
     * @param domains what the run accepts; while it is empty, the first seed's domain is accepted with it
     */
    RunSeeds(CrawlStatus status, Domains domains) {
        this.status = status;
        this.domains = domains;
        this.newDomains = domains.domains().isEmpty();
    }

    CrawlStatus status() {
        return status;
    }

    /** Judges the domain of a seed that all rules before have let in. */
    Verdict admit(Candidate.Open open, Incoming seed, int priority, long nextDomainsVersion) {
        if (domains.domains().isEmpty()) {
            domains = new Domains(status.run(), nextDomainsVersion, Set.of(open.domain()));
        }
        Verdict verdict = open.verdict(domains.domains());
        if (verdict instanceof Admitted admitted) {
            waiting.add(new Waiting(admitted, seed, priority, domains.version()));
        }
        return verdict;
    }

    void refuse(RefusalReason reason) {
        refused.merge(reason, 1, Integer::sum);
    }

    /** Refuses what the ledger knows. */
    void askLedger(Ledger ledger) {
        List<UrlFacts> known = ledger.lookUp(status.run(),
                waiting.stream().map(w -> Fingerprint.of(w.admitted().url())).toList());
        for (int i = 0; i < waiting.size(); i++) {
            if (LedgerRules.emits(known.get(i), DEPTH)) {
                unknown.add(waiting.get(i));
            } else {
                refuse(RefusalReason.SEEN);
            }
        }
    }

    /** The priorities of the seeds that the ledger does not know and that have no place yet. */
    List<Integer> withoutPlace() {
        return unknown.stream().filter(w -> w.seed().place().isEmpty()).map(Waiting::priority).toList();
    }

    /**
     * Lets in what this batch has not let in already and what there is room for.
     *
     * @return those for which there is none
     */
    List<Incoming> fill(Room room, LongSupplier ids) {
        Set<String> batch = new HashSet<>();
        List<Incoming> full = new ArrayList<>();
        for (Waiting w : unknown) {
            if (batch.contains(w.admitted().url())) {
                refuse(RefusalReason.SEEN);
            } else if (room.take(w.priority(), w.seed().place().isPresent())) {
                batch.add(w.admitted().url());
                requests.add(new Request(new RequestId(ids.getAsLong()), status.run(), w.admitted().url(), w.admitted().host(),
                        DEPTH, w.priority(), 0, true, w.domains(), Optional.empty(), w.seed().seed().options(),
                        w.seed().trace()));
            } else {
                refuse(RefusalReason.CHANNEL_FULL);
                full.add(w.seed());
            }
        }
        return full;
    }

    List<Request> requests() {
        return requests;
    }

    List<Fact> facts() {
        return requests.stream().map(r -> new Fact(Fingerprint.of(r.url()), UrlFacts.requested(DEPTH))).toList();
    }

    /** The domains, if this batch has brought the first; a seed that found no room brings none. */
    Optional<Domains> accepted() {
        return newDomains && !requests.isEmpty() ? Optional.of(domains) : Optional.empty();
    }

    LedgerRecord ledgerRecord() {
        List<Emitted> emitted = requests.stream().map(r -> new Emitted(r.id(), r.priority(), r.depth())).toList();
        return new LedgerRecord(status.run(), emitted, List.of(), refused, List.of(), 0);
    }
}
