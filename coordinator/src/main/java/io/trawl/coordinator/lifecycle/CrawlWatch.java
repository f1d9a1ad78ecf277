package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.CronSchedule.ScheduleTimer;
import io.trawl.coordinator.queue.ChannelFullException;
import io.trawl.coordinator.summary.Tally;
import io.trawl.coordinator.summary.Totals;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlId;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one crawl while this process leads: starts the runs of its schedule, stops it at its limits, and completes
 * finishes and stops ({@link CrawlCompletion}). It looks and waits on a thread of its own, which {@link #wake} wakes
 * when something has changed, so that thousands of crawls that rest cost nothing; the leader's thread takes the
 * decisions and checks first whether the crawl has changed meanwhile.
 */
public final class CrawlWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlWatch.class);
    /** What is under way is looked at so often, and no crawl more often. */
    private static final Duration SOON = Duration.ofMillis(50);
    /** How often a started crawl is looked at that nothing wakes: its time may be over, or that of a quota. */
    private static final Duration STARTED = Duration.ofSeconds(1);
    /** How often a schedule is compared with the clock, which may be set, and stands while a machine is suspended. */
    private static final Duration SCHEDULED = Duration.ofSeconds(5);
    private static final Duration RESTING = Duration.ofMinutes(1);
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
    private final Semaphore woken = new Semaphore(0);

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
    CrawlWatch(CrawlId crawl, WatchContext context) {
        this.crawl = crawl;
        this.context = context;
        this.time = context.worker().time();
        this.completion = new CrawlCompletion(crawl, context, time, this::woken);
        this.permitAccount = new PermitAccount(context, time);
    }

    /** The crawl, or the ledger of its run, has changed. Never blocks; may be called by any thread. */
    public void wake() {
        woken.release();
    }

    private boolean woken(Duration longest) throws InterruptedException {
        boolean now = woken.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
        woken.drainPermits();
        return now;
    }

    /** Watches until the thread is interrupted or the process no longer leads. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                woken.drainPermits();
                long looked = time.nanos();
                Duration rest = look();
                if (woken(rest)) {
                    time.pause(Duration.ofNanos(Math.max(0, SOON.toNanos() - (time.nanos() - looked))));
                }
            }
        } catch (InterruptedException | LeaderThread.NotLeadingException e) {
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is no longer watched here", crawl);
        }
    }

    /** @return the time after which to look again, if nothing wakes it */
    private Duration look() throws InterruptedException {
        Optional<CrawlStatus> status = context.controlState().crawl(crawl);
        CrawlState state = status.map(CrawlStatus::state).orElse(CrawlState.UNINITIALIZED);
        try {
            if (status.isPresent() && scheduleTimer.due(status.get(), time.now())) {
                fire(status.get());
                return SOON;
            }
            if (state == CrawlState.STARTED) {
                return least(checkStarted(status.orElseThrow()));
            }
            if (state == CrawlState.STOPPING) {
                completion.completeStop(status.orElseThrow());
                return SOON;
            }
            return least(RESTING);
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

    /** This time, or less if the schedule fires before. */
    private Duration least(Duration rest) {
        return Stream
                .concat(Stream.of(rest),
                        scheduleTimer.left(time.now()).stream().flatMap(left -> Stream.of(SCHEDULED, left)))
                .min(Comparator.naturalOrder()).orElseThrow();
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

    private Duration checkStarted(CrawlStatus status) throws InterruptedException {
        if (context.tally().counting().isPresent()) {
            return SOON;
        }
        Totals totals = context.tally().totals(status.run());
        boolean seeded = totals.emitted() > 0 || !status.definition().starts().isEmpty();
        if (totals.waiting() == 0 && (seeded || status.closed())) {
            completion.finishIfComplete(status);
            return SOON;
        }
        Instant since = time.now().minus(IDLE);
        boolean idle = context.tally().last(status.run()).isBefore(since)
                && status.startedAt().filter(start -> start.isAfter(since)).isEmpty();
        Optional<RunLimit> runLimit = RunLimit.reached(status, idle ? totals.withoutWaitingExempt() : totals,
                time.now());
        if (runLimit.isPresent()) {
            completion.decide(status, now -> context.lifecycle().stop(now, runLimit.get().reason()));
            return SOON;
        }
        if (context.spent().test(crawl)) {
            completion.decide(status, now -> context.lifecycle().stop(now, EndReason.QUOTA));
            return SOON;
        }
        return permitAccount.step(status).filter(next -> next.compareTo(STARTED) < 0).orElse(STARTED);
    }
}
