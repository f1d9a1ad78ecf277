package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.CronSchedule.ScheduleTimer;
import io.trawl.coordinator.queue.ChannelFullException;
import io.trawl.coordinator.summary.RunSnapshot;
import io.trawl.coordinator.summary.Tally;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlId;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one crawl while this process leads: starts the runs of its schedule, stops it at its limits, and completes
 * finishes and stops ({@link CrawlCompletion}). It polls and waits on a thread of its own; the leader's thread takes
 * the decisions and checks first whether the crawl has changed meanwhile.
 */
public final class CrawlWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlWatch.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final Duration IDLE_INTERVAL = Duration.ofMillis(250);
    private static final Duration FULL_BACK_OFF = Duration.ofSeconds(5);
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    /**
     * How long a run at its limit of pages waits for the next requisite: pages without a permit may stand before it.
     */
    private static final Duration IDLE = Duration.ofMinutes(1);
    private final CrawlId crawl;
    private final WatchContext context;
    private final Time time;
    private final CrawlCompletion completion;
    private final PermitAccount permitAccount;
    private final ScheduleTimer scheduleTimer = new ScheduleTimer();

    /**
     * The parts that a watch reads and calls.
     *
     * @param commands start scheduled runs, on the leader's thread
     * @param seeds the progress of the admission of seeds
     * @param spent whether a quota ends a crawl now
     * @param logs whether Kafka has lost nothing since the leader looked last
     */
    public record WatchContext(WorkerContext worker, ControlState controlState, Lifecycle lifecycle,
            LifecycleCommands commands, LeaderThread leader, Tally tally, StageProgress progress, SeedProgress seeds,
            Predicate<CrawlId> spent, WholeLogs logs) {}

    /** Compares the ends of the logs with those of before. */
    @FunctionalInterface
    public interface WholeLogs {
        /** Whether none is shorter, and Kafka answers. May block. */
        boolean whole() throws InterruptedException;
    }

    /** @param crawl the crawl to watch */
    public CrawlWatch(CrawlId crawl, WatchContext context, Time time) {
        this.crawl = crawl;
        this.context = context;
        this.time = time;
        this.completion = new CrawlCompletion(crawl, context, time);
        this.permitAccount = new PermitAccount(context, time);
    }

    /** Watches until the thread is interrupted or the process no longer leads. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                time.pause(poll());
            }
        } catch (InterruptedException | LeaderThread.NotLeadingException e) {
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is no longer watched here", crawl);
        }
    }

    /** @return the time to wait before the next poll */
    private Duration poll() throws InterruptedException {
        Optional<CrawlStatus> status = context.controlState().crawl(crawl);
        CrawlState state = status.map(CrawlStatus::state).orElse(CrawlState.UNINITIALIZED);
        try {
            if (status.isPresent() && scheduleTimer.due(status.get(), time.now())) {
                fire(status.get());
                return POLL_INTERVAL;
            }
            if (state == CrawlState.STARTED) {
                checkStarted(status.orElseThrow());
                return POLL_INTERVAL;
            }
            if (state == CrawlState.STOPPING) {
                completion.completeStop(status.orElseThrow());
                return POLL_INTERVAL;
            }
            return IDLE_INTERVAL;
        } catch (ChannelFullException e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} starts later than scheduled: {}", crawl,
                    e.getMessage());
            return FULL_BACK_OFF;
        } catch (LedgerUnavailableException | KafkaException | ControlWriter.ControlNotWrittenException e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl).log("cannot evaluate crawl {} now: {}", crawl,
                    e.getMessage());
            return BACK_OFF;
        } catch (LeaderThread.NotLeadingException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue(LogKeys.CRAWL, crawl).setCause(e).log("cannot evaluate crawl {}", crawl);
            return BACK_OFF;
        }
    }

    /** Decides by the current status on the leader's thread, where it cannot change meanwhile. */
    private void fire(CrawlStatus seen) throws InterruptedException {
        context.leader().call(() -> {
            Optional<CrawlStatus> now = context.controlState().crawl(crawl).filter(
                    c -> c.scheduledUntil().equals(seen.scheduledUntil()) && c.definition().schedule().isPresent());
            if (now.isPresent()) {
                LOG.atInfo().addKeyValue(LogKeys.CRAWL, crawl).log("the schedule of crawl {} fires; its state is {}",
                        now.get().run(), now.get().state());
                context.commands().fire(now.get());
            }
            return now.isPresent();
        });
    }

    private void checkStarted(CrawlStatus status) throws InterruptedException {
        if (context.tally().counting().isPresent()) {
            return;
        }
        RunSnapshot snapshot = context.tally().snapshot(status.run());
        boolean seeded = snapshot.totals().emitted() > 0 || !status.definition().starts().isEmpty();
        if (snapshot.nothingWaits() && (seeded || status.closed())) {
            completion.finishIfComplete(status);
            return;
        }
        Instant since = time.now().minus(IDLE);
        boolean idle = snapshot.last().isBefore(since)
                && status.startedAt().filter(start -> start.isAfter(since)).isEmpty();
        Optional<RunLimit> runLimit = RunLimit.reached(status,
                idle ? snapshot.totals().withoutWaitingExempt() : snapshot.totals(), time.now());
        if (runLimit.isPresent()) {
            completion.decide(status, now -> context.lifecycle().stop(now, runLimit.get().reason()));
        } else if (context.spent().test(crawl)) {
            completion.decide(status, now -> context.lifecycle().stop(now, EndReason.QUOTA));
        } else {
            permitAccount.step(status);
        }
    }
}
