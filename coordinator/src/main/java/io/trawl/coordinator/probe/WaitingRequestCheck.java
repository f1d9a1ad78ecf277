package io.trawl.coordinator.probe;

import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionChanges.WaitingRefusals;
import io.trawl.coordinator.definition.ScopeChange;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.summary.Tally;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.scope.ScopeRules;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;

/**
 * Judges the requests that wait by rules that are not in force yet, as the frontier would at their turn (rule 28). It
 * reads them from the topics, no longer than {@link #LIMIT} and no more than {@link #MOST}, so a part may be left out.
 * A request in flight counts as one that waits. Thread-safe; calls block.
 */
public final class WaitingRequestCheck {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int MOST = 200_000;
    private static final int BATCH = 1000;
    private final RequestReader reader;
    private final ControlState controlState;
    private final Tally tally;
    private final Ledger ledger;
    private final Time time;

    /** Reads the request topics above the committed offsets. */
    interface RequestReader {
        /** @param enough takes each request, and says whether it is the last one to be read */
        void read(Channels channels, Predicate<Request> enough) throws InterruptedException;
    }

    /**
     * @param tally knows which requests wait
     * @param ledger says which of them would be answered DUPLICATE, or at a smaller depth
     */
    public WaitingRequestCheck(UrlRecords urlRecords, ControlState controlState, Tally tally, Ledger ledger,
            Time time) {
        this(urlRecords::waiting, controlState, tally, ledger, time);
    }

    WaitingRequestCheck(RequestReader reader, ControlState controlState, Tally tally, Ledger ledger, Time time) {
        this.reader = reader;
        this.controlState = controlState;
        this.tally = tally;
        this.ledger = ledger;
        this.time = time;
    }

    /**
     * The changes with what a changed scope would do to the run of a crawl; the same if the scope stays, or a new run
     * begins.
     */
    public DefinitionChanges judged(DefinitionChanges changes, CrawlStatus crawl, CrawlDefinition wanted)
            throws InterruptedException {
        if (changes.newRun()) {
            return changes;
        }
        List<String> notes = new ArrayList<>(ScopeChange.notes(crawl.definition(), wanted));
        Optional<WaitingRefusals> refused = Optional.empty();
        if (!wanted.scopeRules().equals(crawl.definition().scopeRules())) {
            try {
                refused = refusals(crawl.run(), wanted);
            } catch (KafkaException | LedgerUnavailableException e) {
                notes.add("The requests that wait cannot be read now (" + e.getMessage() + ").");
            }
        }
        return changes.withWaiting(refused).withNotes(notes);
    }

    /** That of the run, which a definition does not change. */
    private DepthMode mode(CrawlRun run, CrawlDefinition wanted) {
        return controlState.crawl(run.crawl()).filter(CrawlStatus::refreshes).map(CrawlStatus::depthMode)
                .orElseGet(() -> wanted.limits().depthMode());
    }

    private Optional<WaitingRefusals> refusals(CrawlRun run, CrawlDefinition wanted) throws InterruptedException {
        Optional<Channels> channels = controlState.channels();
        long waiting = tally.totals(run).waiting();
        if (channels.isEmpty() || waiting == 0) {
            return channels.map(known -> new WaitingRefusals(0, 0, 0, Map.of()));
        }
        Pass pass = new Pass(run, wanted.scopeRules(), mode(run, wanted), time.nanos() + LIMIT.toNanos());
        reader.read(channels.get(), pass::enough);
        return Optional.of(pass.result(waiting));
    }

    /** One reading of what waits. */
    private final class Pass {
        private final CrawlRun run;
        private final ScopeRules wanted;
        private final DepthMode mode;
        private final long last;
        private final List<Request> batch = new ArrayList<>();
        /** A request may have been copied to the end of its log. */
        private final Set<RequestId> lookedAt = new HashSet<>();
        /** Of several requests with one identity the first is refused; the others are duplicates of it. */
        private final Set<Fingerprint> refused = new HashSet<>();
        private final Map<String, Long> byRule = new TreeMap<>();

        Pass(CrawlRun run, ScopeRules wanted, DepthMode mode, long last) {
            this.run = run;
            this.wanted = wanted;
            this.mode = mode;
            this.last = last;
        }

        boolean enough(Request request) {
            if (request.run().equals(run)) {
                batch.add(request);
                if (batch.size() == BATCH) {
                    judge();
                }
            }
            return lookedAt.size() >= MOST || time.nanos() - last >= 0;
        }

        private void judge() {
            Set<RequestId> waiting = Set.copyOf(tally.waiting(run, batch.stream().map(Request::id).toList()));
            List<Request> suspects = batch.stream().filter(r -> waiting.contains(r.id()) && lookedAt.add(r.id()))
                    .filter(r -> wanted.refusal(r, r.depth()).isPresent()).toList();
            List<Fingerprint> names = suspects.stream().map(r -> Fingerprint.of(r.identity())).toList();
            List<UrlFacts> facts = names.isEmpty() ? List.of() : ledger.lookUp(run, names);
            for (int i = 0; i < names.size(); i++) {
                Request request = suspects.get(i);
                UrlFacts known = facts.get(i);
                Fingerprint name = names.get(i);
                if (!LedgerRules.duplicate(known, mode.inLedger(request.depth()))) {
                    int depth = mode == DepthMode.EXACT ? Math.min(request.depth(), known.known()) : request.depth();
                    wanted.refusal(request, depth).filter(refusal -> refused.add(name))
                            .ifPresent(refusal -> byRule.merge(refusal.rule(), 1L, Long::sum));
                }
            }
            batch.clear();
        }

        WaitingRefusals result(long waiting) {
            judge();
            return new WaitingRefusals(Math.max(waiting, lookedAt.size()), lookedAt.size(), refused.size(), byRule);
        }
    }
}
