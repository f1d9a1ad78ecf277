package io.trawl.coordinator.lifecycle;

import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the keys of completed runs from Redis, in the background, while this process leads. It deletes them when a
 * run ends, and again in the next round, because processes that did not know of the end may have written more; only
 * then does it mark the run as done. The first round runs at the start of a term and deletes keys that a previous
 * leader has left. Thread-safe.
 */
public final class RunCleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunCleanup.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS_PER_ROUND = 120;
    private final ControlState controlState;
    private final Ledger ledger;
    private final Time time;
    private final Queue<CrawlRun> ended = new ConcurrentLinkedQueue<>();
    private final Map<CrawlId, Integer> done = new HashMap<>();
    private final Thread thread;

    /** Deletes nothing before {@link #start}. */
    public RunCleanup(ControlState controlState, Ledger ledger, Time time) {
        this.controlState = controlState;
        this.ledger = ledger;
        this.time = time;
        this.thread = Thread.ofVirtual().name("past runs").unstarted(this::run);
    }

    /** Begins the first round. */
    public void start() {
        thread.start();
    }

    /** Deletes the keys of a run that is over. */
    void over(CrawlRun run) {
        ended.add(run);
    }

    private void run() {
        try {
            while (true) {
                round();
                for (int look = 0; look < LOOKS_PER_ROUND; look++) {
                    time.pauseUntilNext(LOOK);
                    forgetEnded();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the cleanup of past runs stops");
        }
    }

    private void round() {
        for (CrawlRun last : controlState.past()) {
            if (done.getOrDefault(last.crawl(), 0) < last.epoch() && deleted(last, () -> ledger.forgetThrough(last))) {
                done.put(last.crawl(), last.epoch());
            }
        }
    }

    private void forgetEnded() {
        CrawlRun run;
        while ((run = ended.poll()) != null) {
            CrawlRun over = run;
            deleted(over, () -> ledger.forget(over));
        }
    }

    private static boolean deleted(CrawlRun run, Runnable deletion) {
        try {
            deletion.run();
            return true;
        } catch (LedgerUnavailableException e) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, run.crawl())
                    .log("cannot delete the facts of {} from Redis now, retrying later: {}", run, e.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
