package io.trawl.downloader.partition;

import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.response.BatchExecutor;
import io.trawl.model.HostKey;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Records long pauses of hosts at once, so that they survive a crash. Thread-safe.
 *
 * @param executor writes the pauses
 */
public record PauseWriter(BatchExecutor<Until> executor, Time time) {
    /**
     * A closed host.
     *
     * @param nanos the end of its pause, by {@link Time#nanos}
     */
    public record Until(int partition, HostKey host, long nanos) {}

    /** @param batchExecutors creates the executor for this work */
    public static PauseWriter open(PartitionLeaseStore leases, int generation, Time time,
            Function<Consumer<List<Until>>, BatchExecutor<Until>> batchExecutors) {
        return new PauseWriter(batchExecutors.apply(batch -> write(batch, leases, generation, time)), time);
    }

    /** Queues a pause that begins now; returns at once. */
    public void closed(FrontierAction.RecordPause recordPause) {
        Duration pause = recordPause.pause().compareTo(Duration.ofDays(365)) < 0
                ? recordPause.pause()
                : Duration.ofDays(365);
        executor.add(new Until(recordPause.partition(), recordPause.host(), time.nanos() + pause.toNanos()));
    }

    private static void write(List<Until> batch, PartitionLeaseStore leases, int generation, Time time) {
        Map<LeasedPartition, Map<HostKey, Duration>> pauses = new HashMap<>();
        for (Until until : batch) {
            Duration left = Duration.ofNanos(until.nanos() - time.nanos());
            if (left.isPositive()) {
                pauses.computeIfAbsent(new LeasedPartition(generation, until.partition()), s -> new HashMap<>())
                        .merge(until.host(), left, (a, b) -> a.compareTo(b) > 0 ? a : b);
            }
        }
        pauses.forEach(leases::note);
    }
}
