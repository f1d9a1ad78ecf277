package io.trawl.coordinator.leader;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.offset.Standstill;
import io.trawl.coordinator.channel.DeletedTopics;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.ModuleKind;
import io.trawl.module.StageState.Phase;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the seeds as a member of the coordinators' group, from its join until it leaves: a term admits them in their
 * order, and those that it cannot admit are read again. Belongs to the leader's thread; {@link #wake} and
 * {@link #interrupt} may be called by any.
 */
final class SeedReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SeedReader.class);
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    /** Longer than an election. */
    private static final Duration LOOK = Duration.ofSeconds(4);
    /** There is one partition, which is assigned once, and goes back to where it was after a failure only. */
    private static final Duration FETCH_WAIT = Duration.ofSeconds(1);
    private final GroupMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final WorkerContext context;
    private final TopicPartition seeds;
    private boolean owner;
    /** When it was looked for the topic, or it joined. */
    private long looked;
    /** Whether the position may be past the committed offset. */
    private boolean behind;
    /** The monotonic time until which seeds are paused, because Redis does not answer. */
    private Optional<Long> heldUntil = Optional.empty();
    private final Object waking = new Object();
    /** Whether the thread is in a poll, which a call wakes; guarded by {@code waking}. */
    private boolean polling;

    SeedReader(WorkerContext context) {
        this.context = context;
        this.looked = context.time().nanos();
        this.consumer = context.kafka().clients().groupConsumer(context.kafka().topics().coordinatorGroup(),
                context.mid().toString(), 500, FETCH_WAIT);
        this.seeds = new TopicPartition(context.kafka().topics().seeds(), 0);
        this.member = new GroupMember(consumer, List.of(seeds.topic()), context.control(), context.time());
    }

    /** Joins the group. @param lost called when another process may own the seeds, within a poll or a close */
    void join(Runnable lost) {
        member.join(new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                owner |= partitions.contains(seeds);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                if (partitions.contains(seeds)) {
                    owner = false;
                    lost.run();
                }
            }
        });
    }

    /** Whether this process owns the partition of the seeds, and so may lead. */
    boolean owner() {
        return owner;
    }

    /**
     * Nobody can lead without the topic of the seeds, and the leader makes the others again: while none leads, it may
     * be gone.
     */
    void makeAgain() throws InterruptedException {
        if (context.time().nanos() - looked >= LOOK.toNanos()) {
            looked = context.time().nanos();
            if (nobodyLeads()) {
                new DeletedTopics(context).restore();
            }
        }
    }

    private boolean nobodyLeads() {
        try {
            return context.store().registrar().all(ModuleKind.COORDINATOR).stream()
                    .noneMatch(other -> other.state() == Phase.LEADING || other.state() == Phase.TAKING_OVER);
        } catch (LedgerUnavailableException e) {
            LOG.debug("it is not known whether another coordinator leads: {}", e.getMessage());
            return false;
        }
    }

    boolean held() {
        return heldUntil.isPresent();
    }

    /** The metadata of the group after a poll, for the transaction that commits what it brought. */
    ConsumerGroupMetadata group() {
        return consumer.groupMetadata();
    }

    /**
     * Polls until {@link #wake}. If that comes when the poll has just ended, the next call of the consumer that waits
     * is woken in its place.
     *
     * @param longest asked for when a call would wake the poll
     * @return empty if the poll was interrupted: see {@link GroupMembership#poll}
     * @throws WakeupException if it was woken
     */
    Optional<ConsumerRecords<byte[], byte[]>> poll(Supplier<Duration> longest) {
        polling(true);
        try {
            return member.pollFor(longest.get());
        } finally {
            polling(false);
        }
    }

    private void polling(boolean now) {
        synchronized (waking) {
            polling = now;
        }
    }

    /** Ends a poll that is under way, as soon as a call is queued. */
    void wake() {
        synchronized (waking) {
            if (polling) {
                polling = false;
                interrupt();
            }
        }
    }

    /** Ends the call of the client that is under way, or else the next one that waits. */
    void interrupt() {
        consumer.wakeup();
    }

    /**
     * Another program wrote seeds to partitions that an operator has added: they go to the first one, in which the
     * leader admits seeds. One that is written twice, since its move was not committed, is admitted once.
     */
    void moveStraySeeds(ConsumerRecords<byte[], byte[]> polled) {
        Map<TopicPartition, OffsetAndMetadata> strays = new HashMap<>(polled.nextOffsets());
        strays.remove(seeds);
        if (strays.isEmpty()) {
            return;
        }
        try (Producer<byte[], byte[]> producer = context.kafka().clients().producer("stray-seeds-" + context.mid())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            strays.keySet()
                    .forEach(partition -> polled.records(partition).forEach(
                            seed -> sent.add(KafkaClients.taken(producer.send(new ProducerRecord<>(seeds.topic(),
                                    seeds.partition(), seed.key(), seed.value(), seed.headers()))))));
            for (Future<RecordMetadata> acknowledged : sent) {
                acknowledged.get();
            }
            LOG.warn("{} seeds were in partitions beyond the first of {}: they are moved there", sent.size(),
                    seeds.topic());
        } catch (ExecutionException e) {
            throw new KafkaException("seeds of an added partition cannot be moved", e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        consumer.commitSync(strays, GroupMembership.ANSWER);
    }

    /** Admits what a poll brought. @param group the metadata captured with the poll */
    void admit(LeaderTerm term, ConsumerRecords<byte[], byte[]> polled, ConsumerGroupMetadata group)
            throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(polled.nextOffsets());
        offsets.keySet().retainAll(List.of(seeds));
        if (behind) {
            // The polled seeds follow some that are not admitted: they are polled again.
            rewind();
        } else if (!offsets.isEmpty()) {
            List<ConsumerRecord<byte[], byte[]>> batch = polled.records(seeds);
            try {
                if (term.intake().admit(batch, offsets, group)) {
                    term.progress().admittedBelow(requireNonNull(offsets.get(seeds)).offset());
                } else {
                    rewind();
                }
            } catch (LedgerUnavailableException | RetriableException e) {
                LOG.warn("pausing the seeds: {}", e.getMessage());
                rewind();
                member.hold(true);
                heldUntil = Optional.of(context.time().nanos() + BACK_OFF.toNanos());
            }
        } else if (heldUntil.filter(until -> context.time().nanos() - until >= 0).isPresent()) {
            member.hold(false);
            heldUntil = Optional.empty();
        }
    }

    /** What a poll brought is handled; see {@link Standstill#handled}. */
    void handled(Standstill standstill, ConsumerRecords<byte[], byte[]> polled) {
        standstill.handled(consumer, polled, true);
    }

    /**
     * Seeks to the committed offset; if that is not known now, nothing is admitted until a later rewind has found it.
     *
     * @return the offset, if it is known
     */
    OptionalLong rewind() {
        behind = true;
        try {
            member.seekCommitted(List.of(seeds), context.kafka().positions()::of);
            long position = consumer.position(seeds, GroupMembership.ANSWER);
            behind = false;
            return OptionalLong.of(position);
        } catch (TimeoutException | WakeupException e) {
            LOG.debug("rewind: {}", e.getMessage());
            return OptionalLong.empty();
        }
    }

    /** Leaves the group. */
    @Override
    public void close() {
        // A stop may have interrupted this thread; the flag would prevent an orderly close.
        boolean interrupted = Thread.interrupted();
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
