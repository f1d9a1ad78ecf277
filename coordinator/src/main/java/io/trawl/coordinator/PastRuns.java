package io.trawl.coordinator;

import io.trawl.coordinator.lifecycle.Book;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.log.LogKeys;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes from Redis what belongs to runs that are over, in the background, while this process leads. It is done at once when a run ends, and again in
 * the next round, for what processes that had not heard of it wrote meanwhile; only then is it noted as done. The first round is that of taking office,
 * so whatever a leader that died has left is deleted by the next. Thread-safe.
 */
final class PastRuns implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PastRuns.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS_PER_ROUND = 120;
    private final Book book;
    private final Ledger ledger;
    private final Time time;
    private final Queue<CrawlRun> ended = new ConcurrentLinkedQueue<>();
    private final Map<CrawlId, Integer> done = new HashMap<>();
    private final Thread thread;

    PastRuns(Book book, Ledger ledger, Time time) {
        this.book = book;
        this.ledger = ledger;
        this.time = time;
        this.thread = Thread.ofVirtual().name("past runs").unstarted(this::run);
    }

    /** Begins the first round. */
    void start() {
        thread.start();
    }

    /** This run is over. */
    void over(CrawlRun run) {
        ended.add(run);
    }

    private void run() {
        try {
            while (true) {
                round();
                for (int look = 0; look < LOOKS_PER_ROUND; look++) {
                    time.pause(LOOK);
                    forgetEnded();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("past runs are no longer looked after");
        }
    }

    private void round() {
        for (CrawlRun last : book.past()) {
            if (done.getOrDefault(last.crawl(), 0) < last.epoch() && carriedOut(last, () -> ledger.forgetThrough(last))) {
                done.put(last.crawl(), last.epoch());
            }
        }
    }

    private void forgetEnded() {
        CrawlRun run;
        while ((run = ended.poll()) != null) {
            CrawlRun over = run;
            carriedOut(over, () -> ledger.forget(over));
        }
    }

    private static boolean carriedOut(CrawlRun run, Runnable deletion) {
        try {
            deletion.run();
            return true;
        } catch (LedgerUnavailable e) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, run.crawl())
                    .log("the facts of {} are still in Redis and are deleted later: {}", run, e.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
