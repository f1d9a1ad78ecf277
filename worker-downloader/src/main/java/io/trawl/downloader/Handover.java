package io.trawl.downloader;

import io.trawl.downloader.frontier.Action.Commit.Mark;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.Lane;
import io.trawl.downloader.lease.HeldLease;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.HostKey;
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
 * Gives partitions back, in an order that leaves no gap: nothing begins; what is under way ends, or is cut; the pauses of the hosts are noted; the last
 * offsets are committed; the leases are released. If a step cannot be done in time the leases are left to run out, which tells the next owner to take
 * everything for possible. Used by the thread that reads requests, within the callback of the group, where it may block.
 */
final class Handover {
    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);
    /** Most pages arrive in less; and so long, at worst, a partition is idle because of an exchange that its next owner will repeat. */
    static final Duration PATIENCE = Duration.ofSeconds(2);
    /** What was cut lands at once; the frontier may be busy. */
    private static final Duration LANDING = Duration.ofSeconds(1);
    private static final Duration REDIS_LIMIT = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final long FRONTIER_LIMIT_SECONDS = 5;
    private final Ownership ownership;
    private final PartitionLeases leases;
    private final int generation;
    private final FrontierLoop frontier;
    private final Time time;

    /** What the frontier leaves behind. */
    private record Last(Map<Lane, Mark> marks, Map<Shard, Map<HostKey, Duration>> pauses) {}

    Handover(Ownership ownership, PartitionLeases leases, int generation, FrontierLoop frontier, Time time) {
        this.ownership = ownership;
        this.leases = leases;
        this.generation = generation;
        this.frontier = frontier;
        this.time = time;
    }

    /**
     * Gives partitions back.
     *
     * @param patience how long what is under way may take
     * @param commit takes the last low-water marks, once nothing of these partitions can change any more
     */
    void giveBack(Collection<Integer> partitions, Duration patience, Consumer<Map<Lane, Mark>> commit) {
        long begun = time.nanos();
        List<HeldLease> held = ownership.end(partitions);
        boolean cut = !quiet(partitions, Frontier::busy, patience);
        if (cut) {
            ownership.cut(held);
        }
        boolean landed = quiet(partitions, Frontier::flying, LANDING);
        Optional<Last> last = ask((f, now) -> last(f, partitions, now));
        boolean noted = last.isPresent() && note(last.get());
        commit.accept(last.map(Last::marks).orElse(Map.of()));
        if (landed && noted) {
            within(() -> ownership.release(held));
        } else {
            ownership.abandon(held);
        }
        LOG.info("partitions {} are given back after {} ms: {}{}", partitions, (time.nanos() - begun) / 1_000_000,
                landed && noted
                        ? last.get().pauses().values().stream().mapToInt(Map::size).sum() + " hosts wait"
                        : "their leases run out",
                cut ? ", what took longer was cut" : "");
    }

    private Last last(Frontier f, Collection<Integer> partitions, long now) {
        Map<Lane, Mark> marks = new HashMap<>();
        Map<Shard, Map<HostKey, Duration>> pauses = new HashMap<>();
        for (int partition : partitions) {
            pauses.put(new Shard(generation, partition), f.pauses(partition, now));
            marks.putAll(f.revoked(partition, now));
        }
        return new Last(marks, pauses);
    }

    private boolean note(Last last) {
        return within(() -> last.pauses().forEach((shard, pauses) -> {
            if (!pauses.isEmpty()) {
                leases.note(shard, pauses);
            }
        }));
    }

    /** Whether no partition is any more as the frontier says, before the time is over. */
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

    /** Calls Redis, and waits only so long: the group waits for us. */
    private static boolean within(Runnable call) {
        AtomicBoolean done = new AtomicBoolean();
        Thread calling = Thread.ofVirtual().name("hand-over").start(() -> {
            try {
                call.run();
                done.set(true);
            } catch (LedgerUnavailable e) {
                LOG.info("nothing can be handed over: {}", e.getMessage());
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
