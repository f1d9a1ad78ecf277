package io.trawl.downloader.answer;

import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Settles acknowledged answers: first the ledger learns that there is a response, then the request is marked as answered, then the frontier is told. A
 * crash in between repeats a judgement and nothing else. To be called by one thread; calls block and throw
 * {@link io.trawl.ledger.LedgerUnavailable}, after which the same batch may be settled again.
 */
public final class Settling implements Consumer<List<Acknowledged>> {
    private final Ledger ledger;
    private final AnsweredMarks marks;
    private final Predicate<CrawlRun> lives;
    private final Consumer<List<Long>> settled;

    /**
     * @param lives whether a run may still learn: the facts of one that is over may have been deleted already
     * @param settled is told the tickets
     */
    public Settling(Ledger ledger, AnsweredMarks marks, Predicate<CrawlRun> lives, Consumer<List<Long>> settled) {
        this.ledger = ledger;
        this.marks = marks;
        this.lives = lives;
        this.settled = settled;
    }

    @Override
    public void accept(List<Acknowledged> batch) {
        Map<CrawlRun, List<Fact>> facts = new LinkedHashMap<>();
        Map<LogPartition, List<Long>> offsets = new LinkedHashMap<>();
        for (Acknowledged answer : batch) {
            answer.lesson().ifPresent(lesson -> facts.computeIfAbsent(lesson.run(), run -> new ArrayList<>())
                    .add(new Fact(Fingerprint.of(lesson.url()), lesson.facts())));
            offsets.computeIfAbsent(answer.log(), log -> new ArrayList<>()).add(answer.offset());
        }
        facts.forEach((run, list) -> {
            if (lives.test(run)) {
                ledger.learn(run, list);
            }
        });
        offsets.forEach(marks::mark);
        settled.accept(batch.stream().map(Acknowledged::ticket).toList());
    }
}
