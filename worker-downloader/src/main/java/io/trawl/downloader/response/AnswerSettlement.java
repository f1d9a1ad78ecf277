package io.trawl.downloader.response;

import io.trawl.ledger.ResponseLayout;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer.LedgerFact;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LogPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Settles acknowledged answers: first the ledger learns the fact of the response, then the request is marked as
 * answered, then the frontier is notified. A crash in between only repeats a decision. Called by one thread; calls
 * block and throw {@link io.trawl.ledger.LedgerUnavailableException}, after which the same batch may be settled again.
 */
public final class AnswerSettlement implements Consumer<List<AcknowledgedAnswer>> {
    private final Ledger ledger;
    private final AnsweredMarks marks;
    private final Predicate<CrawlRun> notOver;
    private final Supplier<ResponseLayout> layout;
    private final Consumer<List<Long>> settled;

    /**
     * @param notOver whether a run may still learn: the facts of a run that is over may have been deleted already
     * @param layout that of responses, after reading {@code control} to its end
     * @param settled gets the tickets
     */
    public AnswerSettlement(Ledger ledger, AnsweredMarks marks, Predicate<CrawlRun> notOver,
            Supplier<ResponseLayout> layout, Consumer<List<Long>> settled) {
        this.ledger = ledger;
        this.marks = marks;
        this.notOver = notOver;
        this.layout = layout;
        this.settled = settled;
    }

    @Override
    public void accept(List<AcknowledgedAnswer> batch) {
        Map<CrawlRun, List<Fact>> facts = facts(batch);
        Map<LogPartition, List<Long>> offsets = new LinkedHashMap<>();
        for (AcknowledgedAnswer answer : batch) {
            offsets.computeIfAbsent(answer.log(), log -> new ArrayList<>()).add(answer.offset());
        }
        facts.forEach((run, list) -> {
            if (notOver.test(run)) {
                ledger.learn(run, list);
            }
        });
        offsets.forEach(marks::mark);
        settled.accept(batch.stream().map(AcknowledgedAnswer::ticket).toList());
    }

    /**
     * The facts of the batch. The layout is read after the acknowledgements: if it does not end, these responses are
     * below its ends. If it does, the ledger does not learn where they are, which may cost another fetch.
     */
    private Map<CrawlRun, List<Fact>> facts(List<AcknowledgedAnswer> batch) {
        List<LedgerFact> known = batch.stream().flatMap(answer -> answer.ledgerFact().stream()).toList();
        Map<CrawlRun, List<Fact>> facts = new LinkedHashMap<>();
        if (known.isEmpty()) {
            return facts;
        }
        ResponseLayout now = layout.get();
        known.stream().filter(fact -> now.closing().isEmpty() && fact.layout() == now.number())
                .forEach(fact -> facts.computeIfAbsent(fact.run(), run -> new ArrayList<>())
                        .add(new Fact(Fingerprint.of(fact.identity()),
                                UrlFacts.responded(fact.depth(), now.shift() + fact.offset()))));
        return facts;
    }

    /**
     * A request whose answer Kafka has acknowledged, or that needs no answer, or an unreadable record.
     *
     * @param ticket the frontier's number of the answer
     * @param log the log of the request
     * @param offset its offset
     * @param ledgerFact the fact for the ledger; empty if the answer states none
     */
    public record AcknowledgedAnswer(long ticket, LogPartition log, long offset, Optional<LedgerFact> ledgerFact) {
        /**
         * That a response to a request of a run is in Kafka.
         *
         * @param depth of the request, as the ledger compares it
         * @param layout to which the response was written
         * @param offset of the response
         */
        public record LedgerFact(CrawlRun run, String identity, int depth, int layout, long offset) {}
    }
}
