package io.trawl.downloader;

import io.trawl.downloader.answer.Outage;
import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.lease.HeldLease;
import io.trawl.downloader.lease.LeaseKeeper;
import io.trawl.downloader.lease.LeaseKeeper.Grant;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases on what Kafka has given to this process, and what the frontier is told of them. A lease that another downloader holds is waited for; one that is
 * lost is sought again, while what was under way under it is cut: others may have the hosts by now. Thread-safe.
 */
final class Ownership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    private static final Duration AGAIN = Duration.ofMillis(100);
    private final LeaseKeeper keeper;
    private final int generation;
    private final FrontierLoop frontier;
    private final Consumer<Clearance> cut;
    private final Outage redis;
    private final Time time;
    private final Failures failures;
    private final Map<Integer, Hold> holds = new HashMap<>();

    /** What is ours by Kafka, until it is given back; the lease comes and may go. Guarded by the ownership. */
    private static final class Hold {
        final int partition;
        final Runnable granted;
        Optional<HeldLease> lease = Optional.empty();
        boolean told;

        Hold(int partition, Runnable granted) {
            this.partition = partition;
            this.granted = granted;
        }
    }

    /**
     * How many partitions are held.
     *
     * @param awaited of those that Kafka has given to this process, those without a lease
     */
    record Count(int held, int awaited) {}

    Ownership(PartitionLeases leases, Duration length, int generation, FrontierLoop frontier, Consumer<Clearance> cut,
            Outage redis,
            Time time, Failures failures) {
        this.keeper = new LeaseKeeper(leases, length, time, redis, this::lost);
        this.generation = generation;
        this.frontier = frontier;
        this.cut = cut;
        this.redis = redis;
        this.time = time;
        this.failures = failures;
    }

    void start() {
        keeper.start();
    }

    /**
     * Seeks the lease on a partition until it is had, or {@link #end ended}.
     *
     * @param granted run once, when it is had for the first time; must not block
     */
    void claim(int partition, Runnable granted) {
        Hold hold = new Hold(partition, granted);
        synchronized (this) {
            Hold before = holds.get(partition);
            if (before != null && before.lease.isPresent()) {
                // Served in vain and begun anew: what is ours need not be waited for.
                granted.run();
                return;
            }
            holds.put(partition, hold);
        }
        seek(hold);
    }

    private void seek(Hold hold) {
        Thread.ofVirtual().name("lease-" + hold.partition).start(() -> {
            try {
                boolean said = false;
                while (sought(hold)) {
                    Optional<Grant> grant = take(hold.partition);
                    if (grant.isPresent()) {
                        install(hold, grant.get());
                    } else {
                        if (!said && !redis.now()) {
                            said = true;
                            LOG.info("partition {} is leased by another downloader: waiting until it is given back or runs out",
                                    hold.partition);
                        }
                        time.pause(AGAIN);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                failures.fatal("partition " + hold.partition + " cannot be leased", e);
            }
        });
    }

    private synchronized boolean sought(Hold hold) {
        return holds.get(hold.partition) == hold && hold.lease.isEmpty();
    }

    private Optional<Grant> take(int partition) {
        try {
            Optional<Grant> grant = keeper.take(new Shard(generation, partition));
            redis.end();
            return grant;
        } catch (LedgerUnavailable e) {
            redis.begin(e);
            return Optional.empty();
        }
    }

    private void install(Hold hold, Grant grant) {
        boolean wanted;
        synchronized (this) {
            wanted = sought(hold);
            if (wanted) {
                hold.lease = Optional.of(grant.lease());
                frontier.tell((f, now) -> f.leased(hold.partition, grant.lease(), grant.legacy(), now));
                if (!hold.told) {
                    hold.told = true;
                    hold.granted.run();
                }
            }
        }
        if (!wanted) {
            release(List.of(grant.lease()));
        }
    }

    private void lost(HeldLease lease) {
        Optional<Hold> loser;
        synchronized (this) {
            loser = holds.values().stream().filter(hold -> hold.lease.filter(l -> l == lease).isPresent()).findFirst();
            loser.ifPresent(hold -> {
                hold.lease = Optional.empty();
                frontier.tell((f, now) -> f.lapsed(hold.partition, lease, now));
            });
        }
        cut.accept(lease);
        loser.ifPresent(hold -> {
            LOG.warn("the lease on partition {} has run out: nothing is fetched from its hosts until it is had again",
                    hold.partition);
            seek(hold);
        });
    }

    /** From now on nothing begins in these partitions; their leases are not sought any more, but kept. Returns those that are held. */
    synchronized List<HeldLease> end(Collection<Integer> partitions) {
        List<HeldLease> held = new ArrayList<>();
        for (int partition : partitions) {
            Hold hold = holds.remove(partition);
            if (hold != null) {
                hold.lease.ifPresent(lease -> {
                    lease.close();
                    held.add(lease);
                });
            }
        }
        return held;
    }

    /** Aborts what is under way under these leases. */
    void cut(Collection<HeldLease> leases) {
        leases.forEach(cut);
    }

    /** Gives ended leases back, handed over; if Redis does not answer they run out. */
    void release(Collection<HeldLease> leases) {
        try {
            keeper.release(leases);
        } catch (LedgerUnavailable e) {
            LOG.info("leases are not given back and will run out: {}", e.getMessage());
        }
    }

    /** Lets ended leases run out: whoever comes next must take everything for possible. */
    void abandon(Collection<HeldLease> leases) {
        keeper.abandon(leases);
    }

    synchronized Count count() {
        int held = (int) holds.values().stream().filter(hold -> hold.lease.isPresent()).count();
        return new Count(held, holds.size() - held);
    }

    @Override
    public void close() {
        synchronized (this) {
            holds.clear();
        }
        keeper.close();
    }
}
