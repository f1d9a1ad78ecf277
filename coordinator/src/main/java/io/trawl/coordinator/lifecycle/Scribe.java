package io.trawl.coordinator.lifecycle;

import io.trawl.channel.Topics;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.Result;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord;
import io.trawl.coordinator.events.EventSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The one pen of the deployment: writes {@code control} under the coordinators' transactional id, and enters what is committed in the book. Belongs to
 * the leader's thread.
 */
public final class Scribe {
    private static final int TRIES = 5;
    private final TransactionalWriter writer;
    private final Topics topics;
    private final Book book;
    private final EventSource events;

    /**
     * @param writer opened by the leader
     * @param events which follow from what is written, and are written with it
     */
    public Scribe(TransactionalWriter writer, Topics topics, Book book, EventSource events) {
        this.writer = writer;
        this.topics = topics;
        this.book = book;
        this.events = events;
    }

    /**
     * Writes control records, all or none.
     *
     * @throws NotWritten if Kafka refused it several times; nothing has changed
     * @throws io.trawl.channel.WriterFenced if another coordinator leads
     */
    public void write(ControlRecord... records) {
        write(List.of(records), List.of());
    }

    /** Writes control records and others with them, all or none; see {@link #write(ControlRecord...)}. */
    public void write(List<? extends ControlRecord> control, Collection<ProducerRecord<byte[], byte[]>> others) {
        commit(together(control, others), control);
    }

    private void commit(List<ProducerRecord<byte[], byte[]>> all, List<? extends ControlRecord> control) {
        for (int tries = 0; tries < TRIES; tries++) {
            if (writer.write(all) == Result.COMMITTED) {
                control.forEach(book::enter);
                return;
            }
        }
        throw new NotWritten("Kafka did not take it");
    }

    /**
     * Removes keys of {@code control} and writes what takes their place, all or none; see {@link #write(ControlRecord...)}.
     *
     * @param last comes after them, so that whoever reads it finds them gone
     */
    public void remove(List<String> keys, ControlRecord last, ProducerRecord<byte[], byte[]> other) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        keys.forEach(key -> all.add(new ProducerRecord<>(topics.control(), key.getBytes(StandardCharsets.UTF_8), null)));
        all.addAll(together(List.of(last), List.of(other)));
        commit(all, List.of(last));
    }

    /** Writes control records and others together with consumed offsets; {@code false} means that nothing is written and the caller rewinds. */
    public boolean write(List<? extends ControlRecord> control, Collection<ProducerRecord<byte[], byte[]>> others,
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        boolean committed = writer.write(together(control, others), offsets, group) == Result.COMMITTED;
        if (committed) {
            control.forEach(book::enter);
        }
        return committed;
    }

    /** Whether the last write failed because of the size of a record: it would fail again. */
    public boolean tooLarge() {
        return writer.tooLarge();
    }

    private List<ProducerRecord<byte[], byte[]>> together(List<? extends ControlRecord> control,
            Collection<ProducerRecord<byte[], byte[]>> others) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(control.size() + others.size());
        control.forEach(
                c -> all.add(new ProducerRecord<>(topics.control(), c.key().getBytes(StandardCharsets.UTF_8), Codec.encode(c))));
        all.addAll(others);
        all.addAll(events.of(control));
        return all;
    }

    /** Kafka did not take a transaction, several times; nothing has changed, and trying again later is all right. */
    public static final class NotWritten extends RuntimeException {
        NotWritten(String message) {
            super(message);
        }
    }
}
