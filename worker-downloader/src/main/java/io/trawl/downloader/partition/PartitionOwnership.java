package io.trawl.downloader.partition;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.partition.LeaseKeeper.Grant;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.telemetry.Outage;
import io.trawl.worker.WorkerContext;
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
 * Acquires the leases on the partitions that Kafka has assigned to this process, and reports them to the frontier. It
 * waits for a lease that another downloader holds. When a lease is lost, it cuts the exchanges under it, since another
 * process may own the hosts by now, and acquires it again. Thread-safe.
 */
public final class PartitionOwnership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionOwnership.class);
    private static final Duration AGAIN = Duration.ofMillis(100);
    private final WorkerContext context;
    private final LeaseKeeper keeper;
    private final int generation;
    private final FrontierLoop frontier;
    private final Consumer<FetchPermit> cut;
    private final Outage redis;
    private final Map<Integer, Hold> holds = new HashMap<>();

    /** A partition that Kafka has assigned to this process; its lease may come and go. Guarded by the ownership. */
    private static final class Hold {
        final int partition;
        final Runnable granted;
        Optional<HeldLease> lease = Optional.empty();
        /** The claim of a lease that ended only since this process slept; Redis knows whether it still has it. */
        Optional<LeaseClaim> doubtful = Optional.empty();
        boolean grantReported;

        Hold(int partition, Runnable granted) {
            this.partition = partition;
            this.granted = granted;
        }
    }

    /**
     * The number of partitions by state.
     *
     * @param held partitions with a lease
     * @param awaited assigned partitions without a lease
     */
    public record LeaseCount(int held, int awaited) {}

    /** @param cut ends the exchanges under a lease */
    public PartitionOwnership(WorkerContext context, int generation, FrontierLoop frontier, Consumer<FetchPermit> cut,
            Outage redis) {
        this.keeper = new LeaseKeeper(context.store().leases(), context.settings().downloader().lease(), context.time(),
                redis, this::lost);
        this.context = context;
        this.generation = generation;
        this.frontier = frontier;
        this.cut = cut;
        this.redis = redis;
    }

    public void start() {
        keeper.start();
    }

    /**
     * Acquires the lease on a partition until it succeeds or the partition is {@link #end ended}.
     *
     * @param granted run once, when the lease is acquired for the first time; must not block
     */
    void claim(int partition, Runnable granted) {
        Hold hold = new Hold(partition, granted);
        synchronized (this) {
            Hold before = holds.get(partition);
            if (before != null && before.lease.isPresent()) {
                // The takeover began again while this process holds the lease, so it need not wait.
                granted.run();
                return;
            }
            holds.put(partition, hold);
        }
        acquire(hold);
    }

    private void acquire(Hold hold) {
        Thread.ofVirtual().name("lease-" + hold.partition).start(() -> {
            try {
                boolean logged = false;
                while (awaiting(hold)) {
                    Optional<Grant> grant = take(hold);
                    if (grant.isPresent()) {
                        install(hold, grant.get());
                    } else {
                        if (!logged && !redis.now()) {
                            logged = true;
                            LOG.info(
                                    "partition {} is leased by another downloader: waiting until the lease is released or expires",
                                    hold.partition);
                        }
                        context.time().pause(AGAIN);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                context.failures().fatal("partition " + hold.partition + " cannot be leased", e);
            }
        });
    }

    private synchronized boolean awaiting(Hold hold) {
        return holds.get(hold.partition) == hold && hold.lease.isEmpty();
    }

    private Optional<Grant> take(Hold hold) {
        LeaseClaim claim;
        synchronized (this) {
            claim = hold.doubtful.orElseGet(() -> LeaseClaim.on(new LeasedPartition(generation, hold.partition)));
        }
        try {
            Optional<Grant> grant = keeper.take(claim);
            redis.end();
            if (grant.isEmpty()) {
                synchronized (this) {
                    hold.doubtful = Optional.empty();
                }
            }
            return grant;
        } catch (LedgerUnavailableException e) {
            redis.begin(e);
            return Optional.empty();
        }
    }

    private void install(Hold hold, Grant grant) {
        boolean wanted;
        boolean used;
        synchronized (this) {
            wanted = awaiting(hold);
            used = hold.doubtful.isPresent();
            hold.doubtful = Optional.empty();
            if (wanted) {
                hold.lease = Optional.of(grant.lease());
                frontier.send((f, now) -> f.leased(hold.partition, grant.lease(), grant.inheritedPauses(), now));
                if (!hold.grantReported) {
                    hold.grantReported = true;
                    hold.granted.run();
                }
            }
        }
        if (!wanted && used) {
            abandon(List.of(grant.lease()));
        } else if (!wanted) {
            release(List.of(grant.lease()));
        }
    }

    private void lost(HeldLease lease) {
        Optional<Hold> loser;
        synchronized (this) {
            loser = holds.values().stream().filter(hold -> hold.lease.filter(l -> l == lease).isPresent()).findFirst();
            loser.ifPresent(hold -> {
                hold.lease = Optional.empty();
                hold.doubtful = Optional.of(lease).filter(l -> l.doubtful() && !l.expired()).map(HeldLease::claim);
                frontier.send((f, now) -> f.leaseExpired(hold.partition, lease, now));
            });
        }
        cut.accept(lease);
        loser.ifPresent(hold -> {
            LOG.warn(
                    "the lease on partition {} has ended: nothing is fetched from its hosts until it is acquired again",
                    hold.partition);
            acquire(hold);
        });
    }

    /**
     * No exchange begins in these partitions any more. Their leases are kept, but no longer acquired. Returns the held
     * leases.
     */
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

    /** Aborts the exchanges in flight under these leases. */
    void cut(Collection<HeldLease> leases) {
        leases.forEach(cut);
    }

    /** Releases ended leases after a hand-over; if Redis does not answer, they expire. */
    void release(Collection<HeldLease> leases) {
        try {
            keeper.release(leases);
        } catch (LedgerUnavailableException e) {
            LOG.info("the leases are not released and will expire: {}", e.getMessage());
        }
    }

    /** Lets ended leases expire; the next owner must assume that any host may have been asked. */
    void abandon(Collection<HeldLease> leases) {
        keeper.abandon(leases);
    }

    public synchronized LeaseCount count() {
        int held = (int) holds.values().stream().filter(hold -> hold.lease.isPresent()).count();
        return new LeaseCount(held, holds.size() - held);
    }

    @Override
    public void close() {
        synchronized (this) {
            holds.clear();
        }
        keeper.close();
    }
}
