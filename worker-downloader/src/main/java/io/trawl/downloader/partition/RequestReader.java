package io.trawl.downloader.partition;

import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMember.PauseReason;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.offset.Standstill;
import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.partition.PartitionTakeover.Ready;
import io.trawl.downloader.partition.PartitionTakeover.StartOffset;
import io.trawl.module.StageState;
import io.trawl.telemetry.Outage;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that reads the request topics; no other thread uses the consumer. A partition number is served only while
 * it is assigned in every priority, after its lease is acquired and its committed offsets and marks are known
 * ({@link PartitionTakeover}); until then it is paused. Before a partition is given back, its exchanges end and its
 * last low-water mark is committed, inside the rebalance callback, while this process still owns it
 * ({@link PartitionHandover}). {@link #submit} and {@link #stop} may be called by any thread.
 */
public final class RequestReader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestReader.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration LOOK = Duration.ofMillis(2);
    /** How long the frontier is waited for: partitions are revoked in polls. */
    private static final Duration BETWEEN_POLLS = Duration.ofSeconds(1);
    static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);
    private static final long COMMIT_EVERY_NANOS = 200_000_000L;
    private final WorkerContext context;
    private final GroupMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final FrontierLoop frontier;
    private final PartitionTakeover takeover;
    private final PartitionHandover partitionHandover;
    private final Outage kafka;
    private final Standstill standstill;
    private final BooleanSupplier leave;
    /**
     * The owned partitions according to the callbacks: the client's own view has a revoked partition for a moment after
     * its callback.
     */
    private final Set<TopicPartition> owned = new HashSet<>();
    private final ReadPartitions served;
    private final Set<Integer> pausedPriorities = new HashSet<>();
    private final Queue<FrontierAction> actions = new ConcurrentLinkedQueue<>();
    private long lastCommit;
    private final Listener listener = new Listener();
    private volatile boolean stopped;

    /** @param leave whether this process gives all partitions back, leaves its group and waits */
    public RequestReader(WorkerContext context, Consumer<byte[], byte[]> consumer, RequestTopics topics, QueueKeys keys,
            FrontierLoop frontier, PartitionTakeover takeover, PartitionHandover partitionHandover, Outage kafka,
            BooleanSupplier leave) {
        this.context = context;
        this.member = new GroupMember(consumer, topics.names(), context.control(), context.time());
        this.consumer = consumer;
        this.topics = topics;
        this.served = new ReadPartitions(consumer, topics, keys, frontier, context.telemetry().tracing());
        this.frontier = frontier;
        this.takeover = takeover;
        this.partitionHandover = partitionHandover;
        this.kafka = kafka;
        this.standstill = new Standstill(context.time());
        this.leave = leave;
        this.lastCommit = context.time().nanos();
    }

    /**
     * Takes a {@link FrontierAction.CommitOffset}, {@link FrontierAction.Reread} or {@link FrontierAction.Scan};
     * carried out before the next poll.
     */
    public void submit(FrontierAction action) {
        actions.add(action);
    }

    /** The state of the stage, which waits if this thread stands still for no known reason. */
    public StageState state(StageState known) {
        return standstill.of(known);
    }

    /** Commits, leaves the group and ends the thread soon. */
    public void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            member.join(listener);
            standstill.progress();
            while (!stopped) {
                step();
            }
            // Not left to the callback: the client may drop it when it is closed during a rebalance.
            release(List.copyOf(owned), Duration.ZERO, true);
        } catch (RuntimeException | Error e) {
            context.failures().fatal("the requests cannot be read", e);
        } finally {
            consumer.close(CloseOptions.timeout(COMMIT_LIMIT));
        }
    }

    private void step() {
        try {
            if (GroupMembership.whileMember(this::turn)) {
                kafka.end();
            }
        } catch (RetriableException e) {
            kafka.begin(e);
        }
    }

    private void turn() {
        boolean quiet = actions.isEmpty() && served.size() == owned.size();
        runActions();
        if (leave.getAsBoolean()) {
            stayAway();
            return;
        }
        if (member.away()) {
            member.join(listener);
            frontier.send((f, now) -> f.away(false));
        }
        long since = context.time().nanos();
        while (frontier.behind() && context.time().nanos() - since < BETWEEN_POLLS.toNanos()) {
            pause(LOOK);
        }
        // Actions wait for the end of a poll.
        Optional<ConsumerRecords<byte[], byte[]>> polled = quiet ? member.poll(false) : member.pollFor(POLL);
        polled.ifPresentOrElse(served::deliver, served::seekBack);
        polled.ifPresent(records -> standstill.handled(consumer, records, member.polled()));
        takeOver();
        long now = context.time().nanos();
        if (now - lastCommit >= COMMIT_EVERY_NANOS) {
            lastCommit = now;
            served.commit();
        }
    }

    private void stayAway() {
        if (!member.away()) {
            release(List.copyOf(owned), PartitionHandover.PATIENCE, true);
            member.leave();
            frontier.send((f, now) -> f.away(true));
        }
        standstill.progress();
        pause(POLL);
    }

    private void pause(Duration duration) {
        try {
            context.time().pause(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopped = true;
        }
    }

    private void runActions() {
        for (FrontierAction action = actions.poll(); action != null; action = actions.poll()) {
            switch (action) {
                case FrontierAction.CommitOffset commitOffset -> commitOffset.offsets().forEach(served::low);
                case FrontierAction.Reread reread -> reread.from().forEach(served::reread);
                case FrontierAction.Scan scan -> scan(scan);
                default -> throw new IllegalStateException("not an action of the reader: " + action);
            }
        }
    }

    private void scan(FrontierAction.Scan scan) {
        List<TopicPartition> partitions = owned.stream().filter(p -> priority(p) == scan.priority()).toList();
        if (scan.on()) {
            pausedPriorities.remove(scan.priority());
            member.resume(partitions, PauseReason.PRIORITY);
        } else {
            pausedPriorities.add(scan.priority());
            member.pause(partitions, PauseReason.PRIORITY);
        }
    }

    private int priority(TopicPartition partition) {
        return topics.requestPartition(partition).priority();
    }

    // ---- taking partitions over ----

    private void takeOver() {
        Set<Integer> fresh = topics.complete(owned);
        fresh.removeIf(served::has);
        takeover.begin(fresh);
        takeover.step();
        for (Optional<Ready> ready = takeover.next(); ready.isPresent(); ready = takeover.next()) {
            serve(ready.get());
        }
    }

    private void serve(Ready done) {
        if (served.add(done)) {
            member.resume(done.points().stream().map(StartOffset::partition).toList(), PauseReason.NOT_TAKEN_OVER);
            LOG.info("serving partition {} from offsets {}", done.partition(),
                    done.points().stream().map(StartOffset::offset).toList());
        }
    }

    // ---- giving partitions back ----

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owned.addAll(partitions);
            member.pause(partitions, PauseReason.NOT_TAKEN_OVER);
            member.pause(partitions.stream().filter(p -> pausedPriorities.contains(priority(p))).toList(),
                    PauseReason.PRIORITY);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            release(partitions, PartitionHandover.PATIENCE, true);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.warn("the group has removed this process, which did not poll in time: lost {}", partitions);
            release(partitions, PartitionHandover.PATIENCE, false);
        }
    }

    private void release(Collection<TopicPartition> partitions, Duration patience, boolean stillOwned) {
        // Once each: closing the client revokes partitions again that were given back before.
        Set<Integer> goneNumbers = new HashSet<>();
        partitions.stream().filter(owned::remove).forEach(p -> goneNumbers.add(p.partition()));
        goneNumbers.forEach(takeover::forget);
        if (!goneNumbers.isEmpty()) {
            partitionHandover.giveBack(goneNumbers, patience, last -> {
                last.forEach(served::low);
                if (stillOwned) {
                    served.commitLast(goneNumbers);
                }
            });
        }
        served.remove(goneNumbers);
        List<TopicPartition> kept = owned.stream().filter(p -> goneNumbers.contains(p.partition())).toList();
        member.pause(kept, PauseReason.NOT_TAKEN_OVER);
    }
}
