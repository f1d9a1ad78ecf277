package io.trawl.coordinator;

import io.trawl.channel.Polls;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.WriterFenced;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who leads: every coordinator joins one group on {@code seeds}, which has one partition, and its owner leads. That alone would let a paused process
 * think that it leads; so the leader takes the coordinators' transactional id, which fences the one before, and reads {@code control} to its end before
 * it decides anything. Losing the partition or the id ends the {@link Reign}; the process joins again and follows.
 */
final class Leadership implements LeaderThread {
    /** The state of the coordinator that leads, as the registrar shows it. */
    static final String LEADING = "leading";
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration POLL_LEADING = Duration.ofMillis(25);
    private static final Duration POLL_FOLLOWING = Duration.ofMillis(200);
    private static final Duration AFTER_TROUBLE = Duration.ofMillis(500);
    private final CoordinatorParts parts;
    private final WorkerContext context;
    private final Time time;
    private final TopicPartition seeds;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile String state = "starting";
    private volatile long turns;
    private volatile Optional<Consumer<byte[], byte[]>> member = Optional.empty();
    private volatile Optional<Reign> reign = Optional.empty();
    private boolean owner;
    /** Until when seeds are held back, because Redis does not answer, by the clock that never goes back. */
    private Optional<Long> heldUntil = Optional.empty();

    Leadership(CoordinatorParts parts) {
        this.parts = parts;
        this.context = parts.context();
        this.time = context.time();
        this.seeds = new TopicPartition(context.topics().seeds(), 0);
        this.thread = Thread.ofPlatform().name("leader").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** {@code leading}, {@code following} or what it waits for. */
    String state() {
        return state;
    }

    /** How many turns are over: each admits the seeds of one poll and carries out what was asked for. */
    long turns() {
        return turns;
    }

    boolean leading() {
        return reign.isPresent();
    }

    @Override
    public <T> T call(Callable<T> decision) throws InterruptedException {
        return reign().call(decision);
    }

    /** @throws NotLeading if this process does not lead */
    Reign reign() {
        return reign.orElseThrow(NotLeading::new);
    }

    private void run() {
        while (!stopped) {
            try {
                serveAsMember();
            } catch (WakeupException e) {
                LOG.debug("woken to stop");
            } catch (InterruptException | InterruptedException e) {
                stopped = true;
            } catch (WriterFenced e) {
                LOG.warn("another coordinator leads now: {} follows", context.mid());
            } catch (AuthenticationException | AuthorizationException | UnsupportedVersionException
                    | UnsupportedAssignorException e) {
                context.failures().fatal("Kafka does not let this coordinator take part", e);
                stopped = true;
            } catch (KafkaException e) {
                trouble("waiting for kafka", e);
            } catch (RuntimeException e) {
                LOG.error("joining again after an error", e);
                trouble("recovering", e);
            }
        }
        state = "stopped";
    }

    private void trouble(String what, RuntimeException e) {
        LOG.warn("{}: {}", what, e.getMessage());
        state = what;
        try {
            time.pause(AFTER_TROUBLE);
        } catch (InterruptedException interrupted) {
            stopped = true;
        }
    }

    private void serveAsMember() throws InterruptedException {
        Consumer<byte[], byte[]> consumer = context.kafka().groupConsumer(context.topics().coordinatorGroup(),
                context.mid().toString(), 500);
        try {
            member = Optional.of(consumer);
            owner = false;
            heldUntil = Optional.empty();
            state = "following";
            consumer.subscribe(List.of(seeds.topic()), new Ownership());
            while (!stopped) {
                serve(consumer);
                turns = turns + 1;
            }
        } finally {
            member = Optional.empty();
            stepDown();
            // A stop may have left the mark of an interrupt, with which nothing could be closed in order.
            boolean interrupted = Thread.interrupted();
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void serve(Consumer<byte[], byte[]> consumer) throws InterruptedException {
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = Polls.poll(consumer, leading() ? POLL_LEADING : POLL_FOLLOWING);
        } catch (TimeoutException e) {
            // The offsets of a leader that was killed in a transaction are not stable yet.
            LOG.debug("poll: {}", e.getMessage());
            return;
        }
        ConsumerGroupMetadata group = consumer.groupMetadata();
        if (!owner || polled.isEmpty()) {
            // There is one partition, so a torn poll means that it is gone.
            return;
        }
        if (reign.isEmpty()) {
            takeOver(consumer);
            return;
        }
        Reign now = reign.get();
        admit(consumer, now, polled.get(), group);
        now.turn();
    }

    /** What was polled before the id was taken is polled again: the leader before may have committed it meanwhile. */
    private void takeOver(Consumer<byte[], byte[]> consumer) throws InterruptedException {
        state = "taking over";
        AtomicBoolean used = new AtomicBoolean();
        TransactionalWriter writer = new TransactionalWriter(() -> {
            // A second producer would take the id back from a successor that we do not know of yet.
            if (used.getAndSet(true)) {
                throw new WriterFenced("the producer is beyond repair: leading ends with it",
                        new IllegalStateException("one producer per term"));
            }
            return context.kafka().transactionalProducer(context.topics().coordinatorTransactions());
        }, time);
        Reign next = new Reign(parts, writer);
        try {
            next.begin();
            rewind(consumer);
            next.admittedBelow(consumer.position(seeds));
        } catch (RuntimeException | InterruptedException e) {
            next.close();
            throw e;
        }
        reign = Optional.of(next);
        state = LEADING;
    }

    private void admit(Consumer<byte[], byte[]> consumer, Reign now, ConsumerRecords<byte[], byte[]> polled,
            ConsumerGroupMetadata group) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = polled.nextOffsets();
        if (!offsets.isEmpty()) {
            List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>(polled.count());
            polled.forEach(batch::add);
            try {
                if (!now.admit(batch, offsets, group)) {
                    rewind(consumer);
                }
            } catch (LedgerUnavailable | RetriableException e) {
                LOG.warn("seeds wait: {}", e.getMessage());
                rewind(consumer);
                consumer.pause(List.of(seeds));
                heldUntil = Optional.of(time.nanos() + AFTER_TROUBLE.toNanos());
            }
        } else if (heldUntil.filter(until -> time.nanos() - until >= 0).isPresent()) {
            consumer.resume(List.of(seeds));
            heldUntil = Optional.empty();
        }
        now.admittedBelow(consumer.position(seeds));
    }

    /** Back to what is committed. */
    private void rewind(Consumer<byte[], byte[]> consumer) {
        Optional<OffsetAndMetadata> committed = Optional.ofNullable(consumer.committed(java.util.Set.of(seeds)).get(seeds));
        committed.ifPresentOrElse(offset -> consumer.seek(seeds, offset), () -> consumer.seekToBeginning(List.of(seeds)));
    }

    private void stepDown() {
        reign.ifPresent(over -> {
            LOG.info("{} no longer leads", context.mid());
            reign = Optional.empty();
            over.close();
        });
        state = "following";
    }

    /** Ends the group membership and the reign; another coordinator takes over at once. */
    void stop(Duration grace) {
        stopped = true;
        member.ifPresent(Consumer::wakeup);
        try {
            if (!thread.join(grace)) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called inside poll, and when the group is left. */
    private final class Ownership implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owner |= partitions.contains(seeds);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (partitions.contains(seeds)) {
                owner = false;
                stepDown();
            }
        }
    }
}
