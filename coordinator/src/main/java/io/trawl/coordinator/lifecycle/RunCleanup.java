package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
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
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the keys of runs that are over from Redis, in the background, while this process leads. It deletes those of a
 * run that is replaced or deleted at once, and again in the next round, because processes that did not know of it may
 * have written more; only then does it mark the run as done. The first round runs at the start of a term and deletes
 * keys that a previous leader has left. Those of a run that is refreshed wait until its visits are promoted.
 *
 * <p>
 * A run that has ended by itself is given up when the time of its facts is over: first with a record in
 * {@code control}, then, one round later, when all processes have read it, its keys are deleted. A term gives up no run
 * in its first round, so whoever starts a deployment to continue one has a minute to say so. Thread-safe.
 */
public final class RunCleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunCleanup.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration ROUND = Duration.ofMinutes(1);
    private final ControlState controlState;
    private final ForgottenRuns forgottenRuns;
    private final Ledger ledger;
    private final Time time;
    private final Queue<CrawlRun> ended = new ConcurrentLinkedQueue<>();
    private final Map<CrawlId, Integer> done = new HashMap<>();
    private Set<CrawlRun> announced = Set.of();
    private final Thread thread;

    /** Gives up the facts of runs in {@code control}. */
    @FunctionalInterface
    public interface ForgottenRuns {
        /** Writes that the facts of a run are given up, if their time is over. */
        void add(CrawlRun run) throws InterruptedException;
    }

    /** Deletes nothing before {@link #start}. */
    public RunCleanup(ControlState controlState, ForgottenRuns forgottenRuns, Ledger ledger, Time time) {
        this.controlState = controlState;
        this.forgottenRuns = forgottenRuns;
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
                for (long since = time.nanos(); time.nanos() - since < ROUND.toNanos();) {
                    time.pauseUntilNext(LOOK);
                    forgetEnded();
                }
                giveUp();
            }
        } catch (InterruptedException | LeaderThread.NotLeadingException e) {
            LOG.debug("the cleanup of past runs stops");
        }
    }

    private void round() {
        controlState.past().forEach(this::forgetThrough);
        announced.forEach(this::forgetThrough);
        announced = Set.copyOf(controlState.forgotten());
    }

    private void forgetThrough(CrawlRun last) {
        if (done.getOrDefault(last.crawl(), 0) < last.epoch() && !inherited(last)
                && deleted(last, () -> ledger.forgetThrough(last))) {
            done.put(last.crawl(), last.epoch());
        }
    }

    private void giveUp() throws InterruptedException {
        for (CrawlStatus crawl : controlState.crawls()) {
            if (crawl.factsExpired(time.now())) {
                giveUp(crawl.run());
            }
        }
    }

    private void giveUp(CrawlRun run) throws InterruptedException {
        try {
            forgottenRuns.add(run);
        } catch (ControlWriter.ControlNotWrittenException | KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, run.crawl())
                    .log("cannot give up the facts of {} now, retrying later: {}", run, e.getMessage());
        }
    }

    /** Whether a refresh has yet to take what is known of its items (docs/protocol.md, rule 29). */
    private boolean inherited(CrawlRun run) {
        return controlState.crawl(run.crawl()).flatMap(CrawlStatus::unpromoted)
                .filter(source -> source.epoch() == run.epoch()).isPresent();
    }

    private void forgetEnded() {
        for (int left = ended.size(); left > 0; left--) {
            CrawlRun over = ended.remove();
            if (inherited(over)) {
                ended.add(over);
            } else {
                deleted(over, () -> ledger.forget(over));
            }
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
