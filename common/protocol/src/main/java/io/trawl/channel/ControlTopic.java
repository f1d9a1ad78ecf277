package io.trawl.channel;

import static java.util.Objects.requireNonNull;

import io.trawl.model.Durations;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlView;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
 * Reads {@code control} whole, without a group, and keeps the latest record of each key. A record whose version is not
 * larger than the known one is a late write of a paused old leader and is ignored. Thread-safe.
 */
public final class ControlTopic implements ControlView, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlTopic.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private final Consumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final KafkaIdentity.SameKafka identity;
    private final TopicPartition partition;
    private final Time time;
    private final Map<String, ControlRecord> latest = new ConcurrentHashMap<>();
    private final List<java.util.function.Consumer<ControlRecord>> listeners = new CopyOnWriteArrayList<>();
    private final Object progress = new Object();
    private final Thread thread;
    private long position;
    private volatile long changes;
    private volatile long lag;
    private volatile boolean closed;

    /**
     * Starts reading; call {@link #refresh} before relying on it.
     *
     * @param consumer a reader outside any group; this object closes it
     * @param admin used to read the topic's end; this object closes it
     * @param identity confirms that it is still the same topic
     */
    public ControlTopic(Consumer<byte[], byte[]> consumer, Admin admin, KafkaIdentity.SameKafka identity,
            TopicNames topicNames, Time time) {
        this.consumer = consumer;
        this.admin = admin;
        this.identity = identity;
        this.time = time;
        this.partition = new TopicPartition(topicNames.control(), 0);
        this.thread = Thread.ofPlatform().daemon().name("control").start(this::read);
    }

    private void read() {
        try {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (!closed) {
                readSome();
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("stopped reading control");
        } finally {
            consumer.close();
        }
    }

    private void readSome() {
        try {
            // A poll takes its whole time if the topic has no more records, and others wait for the position.
            reached(consumer.position(partition, GroupMembership.ANSWER));
            consumer.poll(POLL).forEach(this::apply);
            lag = consumer.currentLag(partition).orElse(0);
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("control cannot be read now: {}", e.getMessage());
            pause();
        }
    }

    private void reached(long now) {
        synchronized (progress) {
            position = now;
            progress.notifyAll();
        }
    }

    private void pause() {
        try {
            time.pause(PAUSE);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Nothing that the topic holds may end the thread: without it, this process would wait for its view for ever. */
    private void apply(ConsumerRecord<byte[], byte[]> record) {
        try {
            synchronized (listeners) {
                enter(record);
            }
            synchronized (progress) {
                changes = changes + 1;
                progress.notifyAll();
            }
        } catch (MalformedRecordException e) {
            LOG.error("skipping the record in {} at offset {}: {}", partition, record.offset(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the record in {} at offset {} has no effect here", partition, record.offset(), e);
        }
    }

    private void enter(ConsumerRecord<byte[], byte[]> record) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null) {
            latest.remove(key);
            return;
        }
        ControlRecord next = Codec.control(record.value());
        if (!next.key().equals(key)) {
            throw new MalformedRecordException("its key is not '" + next.key() + "', as its value says");
        }
        ControlRecord known = latest.get(key);
        if (known == null || next.version() > known.version()) {
            latest.put(key, next);
            listeners.forEach(listener -> listener.accept(next));
        }
    }

    @Override
    public Optional<ControlRecord> latest(String key) {
        return Optional.ofNullable(latest.get(key));
    }

    @Override
    public Collection<ControlRecord> latest() {
        return Collections.unmodifiableCollection(latest.values());
    }

    /**
     * Waits for the high-water mark, not for the last stable offset: a definition may be committed before its marker is
     * written. A process that slept asks first whether it is still the same topic.
     *
     * @throws KafkaIdentity.OtherKafkaException if it is not
     */
    @Override
    public void refresh() throws InterruptedException {
        refresh(Durations.EVER);
    }

    @Override
    public boolean refresh(Duration longest) throws InterruptedException {
        long last = time.nanos() + longest.toNanos();
        OptionalLong end = highWaterMark(last);
        synchronized (progress) {
            while (end.isPresent() && position < end.getAsLong() && !closed && millisTo(last) > 0) {
                progress.wait(Math.max(1, millisTo(last)));
            }
            return end.isPresent() && (closed || position >= end.getAsLong());
        }
    }

    private long millisTo(long last) {
        return (last - time.nanos()) / 1_000_000;
    }

    @Override
    public long changes() {
        return changes;
    }

    @Override
    public void await(long before, Duration longest) throws InterruptedException {
        long since = time.nanos();
        synchronized (progress) {
            for (long left = longest.toMillis(); changes == before && left > 0
                    && !closed; left = longest.minusNanos(time.nanos() - since).toMillis()) {
                progress.wait(left);
            }
        }
    }

    /** @return empty if the time is over before the broker has answered */
    private OptionalLong highWaterMark(long last) throws InterruptedException {
        while (millisTo(last) > 0) {
            try {
                identity.confirm();
                return OptionalLong.of(admin
                        .listOffsets(Map.of(partition, OffsetSpec.latest()),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .partitionResult(partition).get(millisTo(last), TimeUnit.MILLISECONDS).offset());
            } catch (TimeoutException e) {
                return OptionalLong.empty();
            } catch (ExecutionException e) {
                retry(requireNonNull(e.getCause()));
            } catch (KafkaException e) {
                retry(e);
            }
            if (closed) {
                return OptionalLong.of(0);
            }
        }
        return OptionalLong.empty();
    }

    private void retry(Throwable cause) throws InterruptedException {
        if (!closed) {
            LOG.warn("the end offset of control cannot be read now: {}", cause.getMessage());
            time.pause(PAUSE);
        }
    }

    /** The number of offsets still to read at the last poll. */
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
