package io.trawl.coordinator.channel;

import io.trawl.channel.HostPartitioner;
import io.trawl.control.Channels;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hands the pauses of hosts from the partitions of one generation of request topics to those of the next. Confined to
 * one thread.
 */
record RequestLeases(PartitionLeaseStore leases, Time time) {
    private static final Duration AGAIN = Duration.ofMillis(50);

    /**
     * Waits until no downloader holds a lease of the old topics and none can get one, then notes for the new topics
     * what the hosts are owed. May be repeated.
     */
    void hand(Channels old, Channels next) throws InterruptedException {
        Map<HostKey, Duration> pauses = new HashMap<>();
        Optional<Duration> broken = Optional.empty();
        for (int k = 0; k < old.partitions(); k++) {
            InheritedPauses left = close(new LeasedPartition(old.generation(), k));
            left.pauses().forEach((host, pause) -> pauses.merge(host, pause, RequestLeases::longer));
            broken = Stream.concat(broken.stream(), left.sinceBreak().stream()).min(Comparator.naturalOrder());
        }
        Map<Integer, Map<HostKey, Duration>> byPartition = new HashMap<>();
        pauses.forEach((host, pause) -> partitions(host, next)
                .forEach(k -> byPartition.computeIfAbsent(k, _ -> new HashMap<>()).put(host, pause)));
        for (int k = 0; k < next.partitions(); k++) {
            InheritedPauses inherited = new InheritedPauses(broken, byPartition.getOrDefault(k, Map.of()));
            if (!inherited.equals(InheritedPauses.nothing())) {
                leases.bequeath(new LeasedPartition(next.generation(), k), inherited);
            }
        }
    }

    /** With the key {@code ip} pauses are those of addresses, and the hosts of an address may be in any partition. */
    private static IntStream partitions(HostKey host, Channels next) {
        return next.politeness() == PolitenessKey.IP
                ? IntStream.range(0, next.partitions())
                : IntStream.of(HostPartitioner.of(host.value().getBytes(StandardCharsets.UTF_8), next));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private InheritedPauses close(LeasedPartition partition) throws InterruptedException {
        Optional<InheritedPauses> left = leases.close(partition);
        while (left.isEmpty()) {
            time.pause(AGAIN);
            left = leases.close(partition);
        }
        return left.get();
    }
}
