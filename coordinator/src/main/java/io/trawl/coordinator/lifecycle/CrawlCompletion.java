package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.StopSign;
import io.trawl.coordinator.lifecycle.CrawlWatch.WatchContext;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects when a crawl is finished, and when a stop is complete. Belongs to the thread of the crawl's
 * {@link CrawlWatch}, which waits and measures; the leader's thread takes the decisions.
 *
 * <p>
 * The steps follow docs/protocol.md, section Finished, and each depends on the one before: first the seeds, then the
 * end offsets of the ledger, then the set of unanswered ids, and only then the end offsets of {@code items}.
 */
final class CrawlCompletion {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlCompletion.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofMillis(400);
    private final CrawlId crawl;
    private final WatchContext context;
    private final Time time;
    private final WakeUp wakeUp;

    /** Waits until the crawl, or the ledger of its run, has changed since the last wait. */
    @FunctionalInterface
    interface WakeUp {
        /** @return whether it has, within this time */
        boolean within(Duration longest) throws InterruptedException;
    }

    CrawlCompletion(CrawlId crawl, WatchContext context, Time time, WakeUp wakeUp) {
        this.crawl = crawl;
        this.context = context;
        this.time = time;
        this.wakeUp = wakeUp;
    }

    /**
     * Looks at what the other stages have committed. Most commits of theirs add to the ledger; those that do not are
     * looked for ever more rarely, since each look takes some requests.
     */
    private final class StageLooks {
        private Duration next = POLL_INTERVAL;

        void rest() throws InterruptedException {
            if (wakeUp.within(next)) {
                next = POLL_INTERVAL;
                time.pause(next);
            } else {
                next = LONGEST.compareTo(next.multipliedBy(2)) < 0 ? LONGEST : next.multipliedBy(2);
            }
        }
    }

    /** Finishes a crawl without waiting requests, if that is final. */
    void finishIfComplete(CrawlStatus status) throws InterruptedException {
        long requests = context.seeds().requests(crawl);
        if (!seedsAdmitted(status) || !ledgerRead(status)) {
            return;
        }
        if (context.tally().totals(status.run()).waiting() > 0) {
            return;
        }
        StoredEnds ends = storedEnds(status);
        boolean noted = decide(status,
                now -> context.lifecycle().writeItemEnds(now.run(), ends.items(), ends.responses()));
        StageLooks looks = new StageLooks();
        while (noted && !stored(ends)) {
            looks.rest();
            noted = undisturbed(status, requests);
        }
        // What pipelines committed with their last offsets: the end is announced with complete totals.
        if (noted && ledgerRead(status) && context.logs().whole()) {
            decide(status, now -> {
                // A seed that was admitted meanwhile has created new work. Only this thread admits seeds, so none can
                // be admitted now.
                if (undisturbed(now, requests)) {
                    LOG.atInfo().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is finished", now.run());
                    context.lifecycle().finish(now, context.tally().totals(now.run()));
                }
            });
        }
    }

    /** Up to where a crawl is stored when it ends. @param responses empty if it has no archive */
    private record StoredEnds(Map<TopicPartition, Long> items, Map<TopicPartition, Long> responses) {}

    /**
     * In this order: the analyzer that wrote an item may have read on {@code control} that there are more partitions.
     */
    private StoredEnds storedEnds(CrawlStatus status) throws InterruptedException {
        context.controlState().refresh();
        return new StoredEnds(context.progress().ends(context.worker().kafka().topics().items()),
                status.definition().archives()
                        ? context.progress().ends(context.worker().kafka().topics().responses())
                        : Map.of());
    }

    private boolean stored(StoredEnds ends) throws InterruptedException {
        return context.progress().stored(context.worker().kafka().topics().pipelineGroup(), crawl, ends.items())
                && context.progress().stored(context.worker().kafka().topics().archiveGroup(), crawl, ends.responses());
    }

    /** Whether all seeds in the topic now are admitted or refused. */
    private boolean seedsAdmitted(CrawlStatus status) throws InterruptedException {
        long end = context.progress().end(context.worker().kafka().topics().seeds());
        while (context.seeds().admitted() < end) {
            time.pause(POLL_INTERVAL);
            if (!unchanged(status)) {
                return false;
            }
        }
        return repaired();
    }

    /** After a loss in Kafka all that the logs have is handled again, and what is lost is no longer waited for. */
    private boolean repaired() {
        return context.controlState().kafkaLoss().map(KafkaLoss::repaired).orElse(true);
    }

    /** Waits until all current records of the ledger are counted; an open transaction delays this. */
    private boolean ledgerRead(CrawlStatus status) throws InterruptedException {
        Map<TopicPartition, Long> marks = context.progress().ends(context.worker().kafka().topics().ledger());
        while (!context.tally().reached(marks)) {
            time.pause(POLL_INTERVAL);
            if (!unchanged(status)) {
                return false;
            }
        }
        return true;
    }

    /** Completes a stop in the order of the data flow, so that all downloaded responses are processed. */
    void completeStop(CrawlStatus status) throws InterruptedException {
        StageLooks looks = new StageLooks();
        while (!allDownloadersDrained()) {
            looks.rest();
        }
        // A downloader may have read of more partitions earlier.
        context.controlState().refresh();
        Map<TopicPartition, Long> responses = context.progress().ends(context.worker().kafka().topics().responses());
        while (!context.progress().handled(context.worker().kafka().topics().analyzerGroup(), responses)) {
            looks.rest();
        }
        StoredEnds ends = storedEnds(status);
        decide(status, now -> context.lifecycle().writeItemEnds(now.run(), ends.items(), ends.responses()));
        while (!stored(ends)) {
            looks.rest();
        }
        ledgerRead(status);
        decide(status, now -> context.lifecycle().stopped(now, context.tally().totals(now.run())));
        LOG.atInfo().addKeyValue(LogKeys.CRAWL, crawl).log("crawl {} is stopped", status.run());
    }

    /** A downloader that is no longer registered does not count. */
    private boolean allDownloadersDrained() {
        Optional<StopSign> sign = context.controlState().stopSign(Optional.of(crawl));
        return sign.isEmpty() || context.worker().store().registrar().all(ModuleKind.DOWNLOADER).stream()
                .allMatch(r -> r.deals().getOrDefault(sign.get().key(), 0L) >= sign.get().version());
    }

    /** Runs a decision on the leader's thread, unless the crawl has changed since {@code seen}. */
    boolean decide(CrawlStatus seen, Consumer<CrawlStatus> decision) throws InterruptedException {
        return context.leader().call(() -> {
            boolean same = unchanged(seen);
            if (same) {
                decision.accept(context.controlState().crawl(crawl).orElseThrow());
            }
            return same;
        });
    }

    private boolean undisturbed(CrawlStatus seen, long requests) {
        return unchanged(seen) && context.seeds().requests(crawl) == requests;
    }

    /** Whether the crawl is in the same run, state and start; its options may have changed. */
    private boolean unchanged(CrawlStatus seen) {
        return context.controlState().crawl(crawl).filter(now -> now.run().equals(seen.run())
                && now.state() == seen.state() && now.startedAt().equals(seen.startedAt())).isPresent();
    }
}
