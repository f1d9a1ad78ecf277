package io.trawl.coordinator.lifecycle;

import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.EventSource;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes {@code control} under the coordinators' transactional id, and enters committed records in
 * {@link ControlState}. A deployment has one at a time. Belongs to the leader's thread.
 */
public final class ControlWriter {
    private static final int TRIES = 5;
    private final TransactionalWriter writer;
    private final TopicNames topicNames;
    private final ControlState controlState;
    private final EventSource events;
    private final Consumer<ControlRecord> committed;

    /**
     * @param writer opened by the leader
     * @param events derives the events that are written in the same transactions
     * @param committed is told each committed control record; must not block
     */
    public ControlWriter(TransactionalWriter writer, TopicNames topicNames, ControlState controlState,
            EventSource events, Consumer<ControlRecord> committed) {
        this.writer = writer;
        this.topicNames = topicNames;
        this.controlState = controlState;
        this.events = events;
        this.committed = committed;
    }

    /**
     * Writes control records atomically.
     *
     * @throws ControlNotWrittenException if Kafka refused it several times; nothing has changed
     * @throws io.trawl.channel.WriterFencedException if another coordinator leads
     */
    public void write(ControlRecord... records) {
        write(List.of(records), List.of());
    }

    /** Writes control records and others with them, atomically; see {@link #write(ControlRecord...)}. */
    public void write(List<? extends ControlRecord> control, Collection<ProducerRecord<byte[], byte[]>> others) {
        List<CrawlEvent> announced = events.of(control);
        commit(together(control, others, announced), control, announced);
    }

    private void commit(List<ProducerRecord<byte[], byte[]>> all, List<? extends ControlRecord> control,
            List<CrawlEvent> announced) {
        for (int tries = 0; tries < TRIES; tries++) {
            if (writer.write(all) == CommitResult.COMMITTED) {
                committed(control, announced);
                return;
            }
        }
        throw new ControlNotWrittenException("Kafka refused the transaction");
    }

    /**
     * Removes keys of {@code control} and writes the record that replaces them, atomically; see
     * {@link #write(ControlRecord...)}.
     *
     * @param last is written after the removals, so that its readers find the keys removed
     */
    public void remove(List<String> keys, ControlRecord last, ProducerRecord<byte[], byte[]> other) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        keys.forEach(
                key -> all.add(new ProducerRecord<>(topicNames.control(), key.getBytes(StandardCharsets.UTF_8), null)));
        List<CrawlEvent> announced = events.of(List.of(last));
        all.addAll(together(List.of(last), List.of(other), announced));
        commit(all, List.of(last), announced);
    }

    /**
     * Writes control records and others together with consumed offsets; {@code false} means that nothing is written and
     * the caller must rewind.
     */
    public boolean write(List<? extends ControlRecord> control, Collection<ProducerRecord<byte[], byte[]>> others,
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        List<CrawlEvent> announced = events.of(control);
        boolean committed = writer.write(together(control, others, announced), offsets,
                group) == CommitResult.COMMITTED;
        if (committed) {
            committed(control, announced);
        }
        return committed;
    }

    private void committed(List<? extends ControlRecord> control, List<CrawlEvent> announced) {
        control.forEach(controlState::enter);
        events.committed(announced);
        control.forEach(committed);
    }

    /** The state of the leader that writes. What fails again and again is tried again. */
    public StageState state() {
        writer.tryAgain();
        return writer.failing().<StageState>map(why -> new WaitingFor(Dependency.KAFKA, Optional.of(why)))
                .orElse(Phase.LEADING);
    }

    /** Whether the last write failed because of the size of a record: a retry would fail, too. */
    public boolean tooLarge() {
        return writer.tooLarge();
    }

    private List<ProducerRecord<byte[], byte[]>> together(List<? extends ControlRecord> control,
            Collection<ProducerRecord<byte[], byte[]>> others, List<CrawlEvent> announced) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(control.size() + others.size());
        control.forEach(c -> all.add(
                new ProducerRecord<>(topicNames.control(), c.key().getBytes(StandardCharsets.UTF_8), Codec.encode(c))));
        all.addAll(others);
        announced.stream().map(events::record).forEach(all::add);
        return all;
    }

    /** Kafka refused a transaction several times; nothing has changed, and the caller may retry later. */
    public static final class ControlNotWrittenException extends RuntimeException {
        ControlNotWrittenException(String message) {
            super(message);
        }
    }
}
