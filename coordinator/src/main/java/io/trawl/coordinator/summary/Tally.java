package io.trawl.coordinator.summary;

import io.trawl.coordinator.tail.TopicFollower;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the whole {@code ledger} topic on a thread of its own, only what is committed, and sums it up. Every coordinator keeps one, so that a new
 * leader need not read anything first. Without it no crawl is ever finished, so the reading goes on after every exception. Thread-safe.
 */
public final class Tally implements AutoCloseable {
    private final Counting counting;
    private final TopicFollower follower;

    /**
     * @param readers makes a reader outside any group; called again when one is beyond repair
     * @param failures told of what cannot be survived
     */
    public Tally(Supplier<Consumer<byte[], byte[]>> readers, String topic, Time time, Failures failures) {
        this.counting = new Counting(time);
        this.follower = new TopicFollower("tally", readers, topic, new Counter(), time, failures);
    }

    /** Begins to read. */
    public void start() {
        follower.start();
    }

    /** Where a run stands, over all records that have been read. */
    public RunStanding standing(CrawlRun run) {
        return counting.standing(run);
    }

    /** How many URLs the ledger knows of the present runs of all crawls, over all records that have been read. */
    public long urls() {
        return counting.urls();
    }

    /** What has gone through all priorities, over all records that have been read. */
    public Traffic traffic() {
        return counting.traffic();
    }

    /** What has happened lately in a run; nothing if nothing is known of it. */
    public Pace pace(CrawlRun run, Instant since, Instant now) {
        return counting.pace(run, since, now);
    }

    /** What has happened lately in all runs together, step by step. */
    public Activity.Steps recent(Instant now) {
        return counting.recent(now);
    }

    /** Whether everything committed below these offsets of the ledger has been counted, for good: no transaction below them is open. */
    public boolean reached(Map<TopicPartition, Long> marks) {
        return marks.entrySet().stream()
                .allMatch(mark -> counting.position(mark.getKey()).orElse(0L) >= mark.getValue());
    }

    /** Feeds the counting, which knows how far it is. */
    private final class Counter implements TopicFollower.Reader {
        @Override
        public long begin(TopicPartition partition, long beginning, long end) {
            long from = counting.position(partition).orElse(beginning);
            counting.begin(partition, from);
            return from;
        }

        @Override
        public void add(ConsumerRecord<byte[], byte[]> record) {
            counting.add(record);
        }

        @Override
        public void moved(Map<TopicPartition, OffsetAndMetadata> next) {
            counting.moved(next);
        }
    }

    /** Ends the reading. */
    @Override
    public void close() {
        follower.close();
    }
}
