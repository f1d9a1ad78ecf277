package io.trawl.downloader.partition;

import io.trawl.channel.GroupMembership;
import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.telemetry.Outage;
import io.trawl.worker.WorkerContext;
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

/**
 * The thread that reads bodies of pending requests from the log again, with a consumer of its own outside the group. It
 * answers every {@link FrontierAction.ReadBodies} once: as soon as it has read past the last offset, however long the
 * broker is unavailable meanwhile. Other records that it reads are offered to the frontier. {@link #read} and
 * {@link #stop} may be called by any thread.
 */
public final class BodyReader implements Runnable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(200);
    /** A read takes this long only if the broker is unavailable. */
    private static final long AWAY_NANOS = 3_000_000_000L;
    private final WorkerContext context;
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final FrontierLoop frontier;
    private final Outage outage;
    private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
    private final Map<TopicPartition, RequestedBodies> wanted = new HashMap<>();
    private long lastProgress;

    private sealed interface Command {
        record Read(FrontierAction.ReadBodies bodies) implements Command {}

        record Stop() implements Command {}
    }

    public BodyReader(WorkerContext context, RequestTopics topics, FrontierLoop frontier, Outage outage) {
        this.context = context;
        this.consumer = context.kafka().clients().seeker("bodies-" + context.mid());
        this.topics = topics;
        this.frontier = frontier;
        this.outage = outage;
    }

    /** Queues a read; never blocks. */
    public void read(FrontierAction.ReadBodies readBodies) {
        commands.add(new Command.Read(readBodies));
    }

    /** Ends the thread soon; reads that are not done are not answered. */
    public void stop() {
        commands.add(new Command.Stop());
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
            context.failures().fatal("the bodies of requests cannot be read", e);
        }
    }

    /** Takes all queued commands, and waits for one if there is nothing to read; false if it is to stop. */
    private boolean take() throws InterruptedException {
        Command command;
        if (wanted.values().stream().allMatch(RequestedBodies::isEmpty)) {
            command = commands.take();
            lastProgress = context.time().nanos();
        } else {
            command = commands.poll();
        }
        for (; command != null; command = commands.poll()) {
            switch (command) {
                case Command.Read read -> wanted.computeIfAbsent(topics.partition(read.bodies().requestPartition()),
                        partition -> new RequestedBodies()).add(read.bodies());
                case Command.Stop _ -> {
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
                lastProgress = context.time().nanos();
                outage.end();
            } else if (context.time().nanos() - lastProgress > AWAY_NANOS) {
                outage.begin("no request has been read for a while");
            }
        } catch (RetriableException e) {
            outage.begin(e);
            context.time().pause(PAUSE);
        }
    }

    /** Pauses partitions without a read; they stay assigned, since their fetched records may be needed next. */
    private void steer() {
        if (!consumer.assignment().equals(wanted.keySet())) {
            consumer.assign(wanted.keySet());
        }
        wanted.forEach((partition, bodies) -> {
            if (bodies.isEmpty()) {
                consumer.pause(List.of(partition));
            } else {
                consumer.resume(List.of(partition));
                bodies.seekTarget().ifPresent(offset -> consumer.seek(partition, offset));
            }
        });
    }

    /** Passes the polled records on; true if the position of any partition has advanced. */
    private boolean pass(ConsumerRecords<byte[], byte[]> records) {
        boolean progress = false;
        Map<TopicPartition, OffsetAndMetadata> next = records.nextOffsets();
        for (Map.Entry<TopicPartition, RequestedBodies> entry : wanted.entrySet()) {
            TopicPartition partition = entry.getKey();
            RequestedBodies bodies = entry.getValue();
            if (bodies.isEmpty()) {
                continue;
            }
            List<DeliveredRecord> deliveredRecord = records.records(partition).stream().map(this::delivered).toList();
            OffsetAndMetadata reached = next.get(partition);
            // The position also moves over markers and aborted records, for which no record is returned.
            long position = reached == null ? consumer.position(partition, GroupMembership.ANSWER) : reached.offset();
            if (position > bodies.position()) {
                progress = true;
                bodies.passed(deliveredRecord, position).forEach(this::answer);
                offer(topics.requestPartition(partition), bodies.assignment(), deliveredRecord);
            }
        }
        return progress;
    }

    private DeliveredRecord delivered(ConsumerRecord<byte[], byte[]> record) {
        return new DeliveredRecord(record.offset(), record.key(), record.value(),
                context.telemetry().tracing().read(record.headers())).named();
    }

    private void answer(RequestedBodies.Found found) {
        found.records().forEach(DeliveredRecord::decoded);
        frontier.send((f, now) -> f.read(found.ask(), found.records(), now));
    }

    private void offer(RequestPartition requestPartition, long assignment, List<DeliveredRecord> records) {
        if (!records.isEmpty()) {
            frontier.send((f, now) -> f.offered(requestPartition, assignment, records, now));
        }
    }
}
