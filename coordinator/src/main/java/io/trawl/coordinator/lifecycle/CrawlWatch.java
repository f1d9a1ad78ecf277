package io.trawl.coordinator.lifecycle;

import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.RunStanding;
import io.trawl.coordinator.summary.Tally;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.log.LogKeys;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one crawl while this process leads: says when it is finished, when it has reached its limit, and when a stop is complete. It looks, waits
 * and measures on a thread of its own; what follows is decided on the leader's thread, which looks again whether anything has changed meanwhile.
 *
 * <p>
 * The order of the finish is that of docs/protocol.md, section Finished, and every step rests on the one before it: first the seeds, then the mark in
 * the ledger, then the set of unanswered ids, and only then the ends of {@code items}.
 */
public final class CrawlWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlWatch.class);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration REST = Duration.ofMillis(250);
    private static final Duration FULL = Duration.ofSeconds(5);
    private static final Duration AFTER_TROUBLE = Duration.ofMillis(500);
    private final CrawlId crawl;
    private final Surroundings around;
    private final Time time;
    private final Firings firings = new Firings();

    /**
     * What a watch needs to know and to ask.
     *
     * @param seeds how far the seeds are admitted
     * @param firing begins scheduled runs; called on the leader's thread
     */
    public record Surroundings(Book book, Lifecycle lifecycle, LeaderThread leader, Tally tally, Progress progress,
            Registrar registrar, Topics topics,
            SeedProgress seeds, Firing firing) {}

    /** What happens when the schedule of a crawl fires. */
    @FunctionalInterface
    public interface Firing {
        /** @param now the crawl as it is at this moment */
        void fire(CrawlStatus now) throws InterruptedException;
    }

    /** How far the seeds are admitted. Thread-safe. */
    public interface SeedProgress {
        /** The offset below which every seed is admitted or refused, for good. */
        long admitted();

        /** Grows whenever the crawl has got a request from a seed. */
        long requests(CrawlId crawl);
    }

    /** @param crawl what to watch */
    public CrawlWatch(CrawlId crawl, Surroundings around, Time time) {
        this.crawl = crawl;
        this.around = around;
        this.time = time;
    }

    /** Watches until the thread is interrupted or the process no longer leads. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                time.pause(look());
            }
        } catch (InterruptedException | LeaderThread.NotLeading e) {
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is no longer watched here", crawl);
        }
    }

    /** @return how long to wait before the next look */
    private Duration look() throws InterruptedException {
        Optional<CrawlStatus> status = around.book().crawl(crawl);
        CrawlState state = status.map(CrawlStatus::state).orElse(CrawlState.UNINITIALIZED);
        try {
            if (status.isPresent() && firings.due(status.get(), time.now())) {
                fire(status.get());
                return LOOK;
            }
            if (state == CrawlState.STARTED) {
                lookAtStarted(status.orElseThrow());
                return LOOK;
            }
            if (state == CrawlState.STOPPING) {
                drain(status.orElseThrow());
                return LOOK;
            }
            return REST;
        } catch (ChannelFull e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl)
                    .log("crawl {} begins later than its schedule says: {}", crawl, e.getMessage());
            return FULL;
        } catch (LedgerUnavailable | KafkaException | Scribe.NotWritten e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl)
                    .log("crawl {} cannot be judged now: {}", crawl, e.getMessage());
            return AFTER_TROUBLE;
        } catch (LeaderThread.NotLeading e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue(LogKeys.CRAWL, crawl).setCause(e).log("crawl {} cannot be judged", crawl);
            return AFTER_TROUBLE;
        }
    }

    /** Decides by the crawl as it is on the leader's thread, where nothing comes in between. */
    private void fire(CrawlStatus seen) throws InterruptedException {
        around.leader().call(() -> {
            Optional<CrawlStatus> now = around.book().crawl(crawl)
                    .filter(c -> c.scheduledUntil().equals(seen.scheduledUntil()) && c.definition().schedule().isPresent());
            if (now.isPresent()) {
                LOG.atInfo().addKeyValue(LogKeys.CRAWL, crawl)
                        .log("the schedule of crawl {} fires, which is {}", now.get().run(), now.get().state());
                around.firing().fire(now.get());
            }
            return now.isPresent();
        });
    }

    private void lookAtStarted(CrawlStatus status) throws InterruptedException {
        RunStanding standing = around.tally().standing(status.run());
        if (standing.nothingWaits() && (standing.totals().emitted() > 0 || !status.definition().seeds().isEmpty())) {
            judge(status);
            return;
        }
        Optional<Limit> limit = Limit.reached(status, standing.totals(), time.now());
        if (limit.isPresent()) {
            decide(status, now -> around.lifecycle().stop(now, limit.get().reason()));
        }
    }

    /** Nothing seems to wait: whether that is so for good. */
    private void judge(CrawlStatus status) throws InterruptedException {
        long requests = around.seeds().requests(crawl);
        if (!seedsAdmitted(status) || !ledgerRead(status)) {
            return;
        }
        RunStanding standing = around.tally().standing(status.run());
        if (!standing.nothingWaits()) {
            return;
        }
        Map<TopicPartition, Long> ends = around.progress().ends(around.topics().items());
        boolean noted = decide(status, now -> around.lifecycle().noteEnds(now.run(), ends));
        while (noted && !around.progress().handled(around.topics().pipelineGroup(), ends)) {
            time.pause(LOOK);
            noted = undisturbed(status, requests);
        }
        if (noted) {
            decide(status, now -> {
                // A seed that came meanwhile has begun new work; this thread alone admits seeds, so from here on none can.
                if (undisturbed(now, requests)) {
                    LOG.atInfo().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is finished", now.run());
                    around.lifecycle().finish(now);
                }
            });
        }
    }

    /** Whether the definition's seeds, and those that stand in the topic now, are all admitted or refused. */
    private boolean seedsAdmitted(CrawlStatus status) throws InterruptedException {
        if (around.seeds().admitted() < status.seedsEnd()) {
            return false;
        }
        long end = around.progress().ends(around.topics().seeds()).getOrDefault(new TopicPartition(around.topics().seeds(), 0),
                0L);
        while (around.seeds().admitted() < end) {
            time.pause(LOOK);
            if (!unchanged(status)) {
                return false;
            }
        }
        return true;
    }

    /** Waits until everything that stands in the ledger now is counted; an open transaction holds that up. */
    private boolean ledgerRead(CrawlStatus status) throws InterruptedException {
        Map<TopicPartition, Long> marks = around.progress().ends(around.topics().ledger());
        while (!around.tally().reached(marks)) {
            time.pause(LOOK);
            if (!unchanged(status)) {
                return false;
            }
        }
        return true;
    }

    /** Stops in the order in which data flows, so that nothing that was downloaded is left behind. */
    private void drain(CrawlStatus status) throws InterruptedException {
        while (!everyDownloaderDealt()) {
            time.pause(LOOK);
        }
        awaitHandled(around.topics().analyzerGroup(), around.progress().ends(around.topics().responses()));
        Map<TopicPartition, Long> ends = around.progress().ends(around.topics().items());
        decide(status, now -> around.lifecycle().noteEnds(now.run(), ends));
        awaitHandled(around.topics().pipelineGroup(), ends);
        decide(status, around.lifecycle()::stopped);
        LOG.atInfo().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is stopped", status.run());
    }

    /** A downloader that has left the registrar no longer counts. */
    private boolean everyDownloaderDealt() {
        Optional<StopSign> sign = around.book().stopSign(Optional.of(crawl));
        return sign.isEmpty() || around.registrar().all(ModuleKind.DOWNLOADER).stream()
                .allMatch(r -> r.deals().getOrDefault(sign.get().key(), 0L) >= sign.get().version());
    }

    private void awaitHandled(String group, Map<TopicPartition, Long> ends) throws InterruptedException {
        while (!around.progress().handled(group, ends)) {
            time.pause(LOOK);
        }
    }

    /** Decides on the leader's thread, unless the crawl has moved since it was looked at. */
    private boolean decide(CrawlStatus seen, java.util.function.Consumer<CrawlStatus> decision) throws InterruptedException {
        return around.leader().call(() -> {
            boolean same = unchanged(seen);
            if (same) {
                decision.accept(around.book().crawl(crawl).orElseThrow());
            }
            return same;
        });
    }

    private boolean undisturbed(CrawlStatus seen, long requests) {
        return unchanged(seen) && around.seeds().requests(crawl) == requests;
    }

    /** Whether it is the same run in the same state, started by the same start; its options may have changed. */
    private boolean unchanged(CrawlStatus seen) {
        return around.book().crawl(crawl).filter(now -> now.run().equals(seen.run()) && now.state() == seen.state()
                && now.startedAt().equals(seen.startedAt())).isPresent();
    }
}
