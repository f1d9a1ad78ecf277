package io.trawl.downloader;

import io.trawl.downloader.answer.Desk;
import io.trawl.downloader.frontier.Action;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.model.HostKey;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Writes down at once how long hosts are closed that asked for a long pause or failed, so that a crash does not forget it. Thread-safe.
 *
 * @param desk writes
 */
record Closures(Desk<Until> desk, Time time) {
    /**
     * A closed host.
     *
     * @param nanos until when, by {@link Time#nanos}
     */
    record Until(int partition, HostKey host, long nanos) {}

    /** @param desks opens a desk for this work */
    static Closures open(PartitionLeases leases, int generation, Time time, Function<Consumer<List<Until>>, Desk<Until>> desks) {
        return new Closures(desks.apply(batch -> write(batch, leases, generation, time)), time);
    }

    /** Takes a closure that begins now; returns at once. */
    void closed(Action.Closed closed) {
        Duration pause = closed.pause().compareTo(Duration.ofDays(365)) < 0 ? closed.pause() : Duration.ofDays(365);
        desk.add(new Until(closed.partition(), closed.host(), time.nanos() + pause.toNanos()));
    }

    private static void write(List<Until> batch, PartitionLeases leases, int generation, Time time) {
        Map<Shard, Map<HostKey, Duration>> pauses = new HashMap<>();
        for (Until until : batch) {
            Duration left = Duration.ofNanos(until.nanos() - time.nanos());
            if (left.isPositive()) {
                pauses.computeIfAbsent(new Shard(generation, until.partition()), s -> new HashMap<>()).merge(until.host(), left,
                        (a, b) -> a.compareTo(b) > 0 ? a : b);
            }
        }
        pauses.forEach(leases::note);
    }
}
