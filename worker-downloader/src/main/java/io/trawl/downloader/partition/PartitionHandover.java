package io.trawl.downloader.partition;

import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.queue.AssignedPartitions.Mark;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.HostKey;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives partitions back, in an order that leaves no gap: no exchange begins; exchanges in flight end, or are cut; the
 * pauses of the hosts and their sessions are recorded; the last offsets are committed; the leases are released. If a
 * step cannot be done in time, the leases are left to expire, and the next owner assumes that any host may have been
 * asked. Used by the thread that reads requests, within the rebalance callback, where it may block.
 *
 * @param sessions waits until what hosts have set is recorded
 */
public record PartitionHandover(PartitionOwnership partitionOwnership, PartitionLeaseStore leases, int generation,
        FrontierLoop frontier, Runnable sessions, Time time) {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionHandover.class);
    /**
     * Most pages arrive sooner. In the worst case a partition is idle this long because of an exchange that its next
     * owner repeats.
     */
    static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Cut exchanges end at once; the frontier may be busy. */
    private static final Duration CUT_LIMIT = Duration.ofSeconds(1);
    private static final Duration REDIS_LIMIT = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final long FRONTIER_LIMIT_SECONDS = 5;

    /** The last state that the frontier reports. */
    private record Last(Map<RequestPartition, Mark> marks, Map<LeasedPartition, Map<HostKey, Duration>> pauses) {}

    /**
     * Gives partitions back.
     *
     * @param patience how long exchanges in flight may take
     * @param commit takes the last low-water marks, after which nothing of these partitions can change any more
     */
    void giveBack(Collection<Integer> partitions, Duration patience, Consumer<Map<RequestPartition, Mark>> commit) {
        long begun = time.nanos();
        List<HeldLease> held = partitionOwnership.end(partitions);
        boolean cut = !quiet(partitions, Frontier::busy, patience);
        if (cut) {
            partitionOwnership.cut(held);
        }
        boolean ended = quiet(partitions, Frontier::inFlight, CUT_LIMIT);
        Optional<Last> last = ask((f, now) -> last(f, partitions, now));
        boolean noted = last.isPresent() && note(last.get()) && within(sessions);
        commit.accept(last.map(Last::marks).orElse(Map.of()));
        if (ended && noted) {
            within(() -> partitionOwnership.release(held));
        } else {
            partitionOwnership.abandon(held);
        }
        LOG.info("gave partitions {} back in {} ms: {}{}", partitions, (time.nanos() - begun) / 1_000_000,
                ended && noted
                        ? last.orElseThrow().pauses().values().stream().mapToInt(Map::size).sum()
                                + " hosts have a recorded pause"
                        : "their leases will expire",
                cut ? ", exchanges that took longer were cut" : "");
    }

    private Last last(Frontier f, Collection<Integer> partitions, long now) {
        Map<RequestPartition, Mark> marks = new HashMap<>();
        Map<LeasedPartition, Map<HostKey, Duration>> pauses = new HashMap<>();
        for (int partition : partitions) {
            pauses.put(new LeasedPartition(generation, partition), f.pauses(partition, now));
            marks.putAll(f.revoked(partition, now));
        }
        return new Last(marks, pauses);
    }

    private boolean note(Last last) {
        return within(() -> last.pauses().forEach((leasedPartition, pauses) -> {
            if (!pauses.isEmpty()) {
                leases.note(leasedPartition, pauses);
            }
        }));
    }

    /** Waits until no partition is busy; false if the time is over before. */
    private boolean quiet(Collection<Integer> partitions, Busy busy, Duration limit) {
        long end = time.nanos() + limit.toNanos();
        while (true) {
            if (ask((f, _) -> partitions.stream().noneMatch(k -> busy.of(f, k))).orElse(false)) {
                return true;
            }
            if (time.nanos() - end >= 0) {
                return false;
            }
            try {
                time.pause(LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private interface Busy {
        boolean of(Frontier frontier, int partition);
    }

    private <T> Optional<T> ask(FrontierLoop.Question<T> question) {
        try {
            return Optional.of(frontier.ask(question).get(FRONTIER_LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Calls Redis with a time limit, since the group waits. */
    private static boolean within(Runnable call) {
        AtomicBoolean done = new AtomicBoolean();
        Thread calling = Thread.ofVirtual().name("hand-over").start(() -> {
            try {
                call.run();
                done.set(true);
            } catch (LedgerUnavailableException e) {
                LOG.info("the hand-over failed: {}", e.getMessage());
            }
        });
        try {
            return calling.join(REDIS_LIMIT) && done.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
