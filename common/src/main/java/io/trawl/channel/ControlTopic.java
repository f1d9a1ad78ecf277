package io.trawl.channel;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlView;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code control} whole, without a group, and keeps the latest record of each key; a record with a version that is not larger than the one known
 * is what a paused old leader wrote late, and is ignored. Thread-safe.
 */
public final class ControlTopic implements ControlView, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlTopic.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private final Consumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final TopicPartition partition;
    private final Time time;
    private final Map<String, ControlRecord> latest = new ConcurrentHashMap<>();
    private final List<java.util.function.Consumer<ControlRecord>> listeners = new CopyOnWriteArrayList<>();
    private final Object progress = new Object();
    private final Thread thread;
    private long position;
    private volatile long lag;
    private volatile boolean closed;

    /**
     * Begins to read; call {@link #refresh} before relying on it.
     *
     * @param consumer a reader outside any group, handed over
     * @param admin asked for the topic's end, handed over
     */
    public ControlTopic(Consumer<byte[], byte[]> consumer, Admin admin, Topics topics, Time time) {
        this.consumer = consumer;
        this.admin = admin;
        this.time = time;
        this.partition = new TopicPartition(topics.control(), 0);
        this.thread = Thread.ofPlatform().daemon().name("control").start(this::read);
    }

    private void read() {
        try (consumer) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (!closed) {
                readSome();
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("control is no longer read");
        }
    }

    private void readSome() {
        try {
            consumer.poll(POLL).forEach(this::apply);
            long now = consumer.position(partition);
            lag = consumer.currentLag(partition).orElse(0);
            synchronized (progress) {
                position = now;
                progress.notifyAll();
            }
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("control cannot be read now: {}", e.getMessage());
            pause();
        }
    }

    private void pause() {
        try {
            time.pause(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        synchronized (listeners) {
            if (record.value() == null) {
                latest.remove(key);
                return;
            }
            try {
                ControlRecord next = Codec.control(record.value());
                ControlRecord known = latest.get(key);
                if (known == null || next.version() > known.version()) {
                    latest.put(key, next);
                    listeners.forEach(listener -> listener.accept(next));
                }
            } catch (MalformedRecord e) {
                LOG.error("control record {} at offset {} cannot be read: {}", key, record.offset(), e.getMessage());
            }
        }
    }

    @Override
    public Optional<ControlRecord> latest(String key) {
        return Optional.ofNullable(latest.get(key));
    }

    @Override
    public Collection<ControlRecord> latest() {
        return List.copyOf(latest.values());
    }

    /** Asks for the high-water mark, not for the end of what is committed: a definition may be committed and its marker still on its way. */
    @Override
    public void refresh() throws InterruptedException {
        long end = highWaterMark();
        synchronized (progress) {
            while (position < end && !closed) {
                progress.wait();
            }
        }
    }

    private long highWaterMark() throws InterruptedException {
        while (true) {
            try {
                return admin
                        .listOffsets(Map.of(partition, OffsetSpec.latest()),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .partitionResult(partition)
                        .get()
                        .offset();
            } catch (ExecutionException e) {
                if (closed) {
                    return 0;
                }
                LOG.warn("the end of control is not known now: {}", e.getCause().getMessage());
                time.pause(POLL);
            }
        }
    }

    /** How many offsets lay ahead when it was last read. */
    public long lag() {
        return lag;
    }

    @Override
    public void listen(java.util.function.Consumer<ControlRecord> listener) {
        synchronized (listeners) {
            latest.values().forEach(listener);
            listeners.add(listener);
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        synchronized (progress) {
            progress.notifyAll();
        }
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        admin.close(Duration.ZERO);
    }
}
