package io.trawl.downloader;

import io.trawl.downloader.answer.Outage;
import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Delivered;
import io.trawl.downloader.frontier.Lane;
import io.trawl.time.Time;
import io.trawl.trace.Tracer;
import io.trawl.worker.WorkerContext.Failures;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The thread that reads bodies of pending requests from the log again, by a consumer of its own outside the group. Every {@link Action.Read} is answered
 * once: as soon as the log has been read past its last offset, however long the broker is away meanwhile. Whatever is read beside is offered to the
 * frontier. {@link #want} and {@link #stop} may be called by any thread.
 */
final class RequestBodies implements Runnable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(200);
    /** No read takes that long, unless the broker is away. */
    private static final long AWAY_NANOS = 3_000_000_000L;
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final FrontierLoop frontier;
    private final Tracer tracer;
    private final Outage outage;
    private final Time time;
    private final Failures failures;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final Map<TopicPartition, WantedBodies> wanted = new HashMap<>();
    private long lastProgress;

    private sealed interface Order {
        record Want(Action.Read read) implements Order {}

        record Stop() implements Order {}
    }

    RequestBodies(Consumer<byte[], byte[]> consumer, RequestTopics topics, FrontierLoop frontier, Tracer tracer,
            Outage outage, Time time, Failures failures) {
        this.consumer = consumer;
        this.topics = topics;
        this.frontier = frontier;
        this.tracer = tracer;
        this.outage = outage;
        this.time = time;
        this.failures = failures;
    }

    /** Takes an order; never blocks. */
    void want(Action.Read read) {
        orders.add(new Order.Want(read));
    }

    /** Ends the thread, soon; what is not read is not answered. */
    void stop() {
        orders.add(new Order.Stop());
    }

    @Override
    public void run() {
        try (consumer) {
            while (take()) {
                step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failures.fatal("the bodies of requests cannot be read", e);
        }
    }

    /** Takes all orders that wait, and waits for one if there is nothing to read; false if it is to stop. */
    private boolean take() throws InterruptedException {
        Order order;
        if (wanted.values().stream().allMatch(WantedBodies::isEmpty)) {
            order = orders.take();
            lastProgress = time.nanos();
        } else {
            order = orders.poll();
        }
        for (; order != null; order = orders.poll()) {
            switch (order) {
                case Order.Want want -> wanted
                        .computeIfAbsent(topics.partition(want.read().lane()), partition -> new WantedBodies()).add(want.read());
                case Order.Stop _ -> {
                    return false;
                }
            }
        }
        return true;
    }

    private void step() throws InterruptedException {
        try {
            steer();
            boolean progress = pass(consumer.poll(POLL));
            if (progress) {
                lastProgress = time.nanos();
                outage.end();
            } else if (time.nanos() - lastProgress > AWAY_NANOS) {
                outage.begin(new TimeoutException("no request has been read for a while"));
            }
        } catch (RetriableException e) {
            outage.begin(e);
            time.pause(PAUSE);
        }
    }

    /** Partitions of which nothing is wanted rest, since what the client holds of them may be wanted next. */
    private void steer() {
        if (!consumer.assignment().equals(wanted.keySet())) {
            consumer.assign(wanted.keySet());
        }
        wanted.forEach((partition, bodies) -> {
            if (bodies.isEmpty()) {
                consumer.pause(List.of(partition));
            } else {
                consumer.resume(List.of(partition));
                bodies.jump().ifPresent(offset -> consumer.seek(partition, offset));
            }
        });
    }

    /** Passes on what was polled; true if the reading has come further anywhere. */
    private boolean pass(ConsumerRecords<byte[], byte[]> records) {
        boolean progress = false;
        Map<TopicPartition, OffsetAndMetadata> next = records.nextOffsets();
        for (Map.Entry<TopicPartition, WantedBodies> entry : wanted.entrySet()) {
            TopicPartition partition = entry.getKey();
            WantedBodies bodies = entry.getValue();
            if (bodies.isEmpty()) {
                continue;
            }
            List<Delivered> delivered = records.records(partition).stream().map(this::delivered).toList();
            OffsetAndMetadata reached = next.get(partition);
            // A position moves over markers and aborted records, too, without any record to show for it.
            long position = reached == null ? consumer.position(partition) : reached.offset();
            if (position > bodies.position()) {
                progress = true;
                bodies.passed(delivered, position).forEach(this::answer);
                offer(topics.lane(partition), bodies.tenure(), delivered);
            }
        }
        return progress;
    }

    private Delivered delivered(ConsumerRecord<byte[], byte[]> record) {
        return new Delivered(record.offset(), record.key(), record.value(), tracer.read(record.headers()));
    }

    private void answer(WantedBodies.Found found) {
        found.records().forEach(Delivered::decoded);
        frontier.tell((f, now) -> f.read(found.ask(), found.records(), now));
    }

    private void offer(Lane lane, long tenure, List<Delivered> records) {
        if (!records.isEmpty()) {
            frontier.tell((f, now) -> f.offered(lane, tenure, records, now));
        }
    }
}
