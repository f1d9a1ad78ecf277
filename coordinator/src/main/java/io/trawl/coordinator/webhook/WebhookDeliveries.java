package io.trawl.coordinator.webhook;

import static java.util.Objects.requireNonNull;

import io.trawl.coordinator.topic.RecordLookup;
import io.trawl.coordinator.topic.TopicFollower;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.WebhookEvent;
import io.trawl.definition.Hidden;
import io.trawl.definition.Webhook;
import io.trawl.coordinator.webhook.ReceiverQueue.Delivery;
import io.trawl.coordinator.webhook.WebhookDispatcher.WebhookMetrics;
import io.trawl.coordinator.webhook.WebhookDispatcher.WebhookReceivers;
import io.trawl.model.CrawlerError;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events of a topic to their receivers, during one term. It commits their positions to Kafka once a second,
 * so that the next leader repeats few deliveries, and to no receiver those for which another one is still waited for; a
 * receiver detects a repetition by its {@code webhook-id}. Thread-safe.
 */
final class WebhookDeliveries implements TopicFollower.Reader, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookDeliveries.class);
    private static final Duration OLDEST = Duration.ofDays(1);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(1);
    /** Events have no other. */
    private static final int PARTITION = 0;
    private final WorkerContext context;
    private final String topic;
    private final Function<byte[], ? extends WebhookEvent> decode;
    private final Time time;
    private final WebhookReceivers webhookReceivers;
    private final WebhookMetrics metrics;
    private final WebhookSender webhookSender = new WebhookSender();
    private final DeliveryPositions deliveryPositions = new DeliveryPositions();
    private final TopicOffsets offsets;
    private final TopicFollower follower;
    private final RecordLookup lookup;
    private final Map<String, ReceiverQueue> receiverQueues = new ConcurrentHashMap<>();
    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private final Thread committer;
    private Map<Integer, OffsetAndMetadata> committed = Map.of();

    /**
     * Events that a receiver has missed.
     *
     * @param next where the events begin that have not been read again
     */
    record Missed(List<Delivery> deliveries, long next) {}

    /** @param decode throws {@link MalformedRecordException} for a foreign record */
    WebhookDeliveries(WorkerContext context, String topic, Function<byte[], ? extends WebhookEvent> decode,
            WebhookReceivers webhookReceivers, WebhookMetrics metrics) {
        this.context = context;
        this.topic = topic;
        this.decode = decode;
        this.time = context.time();
        this.webhookReceivers = webhookReceivers;
        this.metrics = metrics;
        this.offsets = new TopicOffsets(context.kafka().clients().admin());
        this.follower = new TopicFollower("webhooks",
                () -> context.kafka().clients().reader("webhooks-" + context.mid()), topic, this, time,
                context.failures()::fatal);
        this.lookup = new RecordLookup(() -> context.kafka().clients().reader("webhooks-missed-" + context.mid()),
                context.kafka().counts(), time);
        this.committer = Thread.ofVirtual().name("webhooks commit").unstarted(this::commitPositions);
    }

    String topic() {
        return topic;
    }

    void start() {
        follower.start();
        committer.start();
    }

    /** Reads and commits no more, without blocking; what is read is delivered until {@link #close}. */
    void retire() {
        committer.interrupt();
        Thread.ofVirtual().name("webhooks retire").start(follower::close);
    }

    @Override
    public OptionalInt count() {
        return OptionalInt.of(1);
    }

    /** Without a committed position, delivery begins with the first event of the topic. */
    @Override
    public long begin(TopicPartition partition, long beginning, long end) {
        return deliveryPositions.read(partition.partition()).or(() -> committed(partition)).orElse(beginning);
    }

    private Optional<Long> committed(TopicPartition partition) {
        try {
            deliveryPositions.in(requireNonNull(offsets.logEnds(List.of(topic)).get(partition)).topic());
            return Optional.ofNullable(offsets.committed(context.kafka().topics().webhookGroup()).get(partition))
                    .flatMap(position -> deliveryPositions.resume(partition.partition(), position));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public void add(ConsumerRecord<byte[], byte[]> record) {
        deliveries(record).forEach(delivery -> queue(delivery.to()).add(delivery));
        deliveryPositions.read(PARTITION, record.offset());
    }

    private List<Delivery> deliveries(ConsumerRecord<byte[], byte[]> record) {
        WebhookEvent event = decode.apply(record.value());
        Instant written = Instant.ofEpochMilli(record.timestamp());
        return young(written)
                ? webhookReceivers.of(event).stream()
                        .filter(to -> !deliveryPositions.had(PARTITION, record.offset(), to.url()))
                        .map(to -> new Delivery(to, record.offset(), written, event)).toList()
                : List.of();
    }

    private boolean young(Instant written) {
        return written.isAfter(time.now().minus(OLDEST));
    }

    /**
     * Reads events for one receiver again, for some seconds.
     *
     * @param end behind the last one
     * @param most that are returned
     * @throws KafkaException if the broker does not answer
     */
    Missed missed(String receiver, long from, long end, int most) {
        List<Delivery> found = new ArrayList<>();
        AtomicLong next = new AtomicLong(from);
        RecordLookup.FoundRecord last = lookup.search(topic, List.of(PARTITION), Map.of(PARTITION, from), record -> {
            if (record.offset() < end) {
                found.addAll(again(record, receiver));
            }
            next.set(record.offset() + 1);
            return found.size() >= most || next.get() >= end;
        });
        return new Missed(found, last.complete() && last.found().isEmpty() ? end : Math.min(end, next.get()));
    }

    private List<Delivery> again(ConsumerRecord<byte[], byte[]> record, String receiver) {
        try {
            return deliveries(record).stream().filter(delivery -> delivery.to().url().equals(receiver)).toList();
        } catch (MalformedRecordException e) {
            return List.of(); // The follower has logged it.
        }
    }

    /** A receiver has not accepted this event yet, nor others behind it. */
    void opened(long offset, String receiver) {
        deliveryPositions.opened(PARTITION, offset, receiver);
    }

    /** Nothing is open for the receiver at this offset. */
    void closed(long offset, String receiver) {
        deliveryPositions.closed(PARTITION, offset, receiver);
    }

    private ReceiverQueue queue(Webhook to) {
        return receiverQueues.computeIfAbsent(to.url(), url -> {
            ReceiverQueue receiverQueue = new ReceiverQueue(url, webhookSender, time, this);
            threads.put(url, Thread.ofVirtual().name("webhook").start(receiverQueue));
            return receiverQueue;
        });
    }

    /** The receiver has accepted the event. */
    void delivered(Delivery delivery) {
        metrics.delivered();
        closed(delivery.offset(), delivery.to().url());
    }

    /** An attempt has failed. @return whether to retry */
    boolean failed(Delivery delivery, String why) {
        metrics.failed();
        LOG.atDebug().addKeyValue(LogKeys.CRAWL, delivery.event().crawl()).log("cannot deliver to {} event {}: {}",
                origin(delivery.to()), delivery.event().id(), why);
        return young(delivery.written());
    }

    /** The event is dropped. */
    void givenUp(Delivery delivery, String why) {
        metrics.givenUp();
        WebhookEvent event = delivery.event();
        context.kafka().errors()
                .report(CrawlerError.of(
                        context.mid(), Optional.of(event.crawl()), Optional.empty(), "WEBHOOK", "cannot deliver to "
                                + origin(delivery.to()) + " event " + event.type() + " (" + event.id() + "): " + why,
                        1, time.now()));
        closed(delivery.offset(), delivery.to().url());
    }

    /** Without path and query, which may contain secrets. */
    private static String origin(Webhook to) {
        return Hidden.beyondServer(to.url()).replace("/" + Hidden.TEXT, "");
    }

    private void commitPositions() {
        try {
            while (true) {
                time.pauseUntilNext(COMMIT_INTERVAL);
                commit();
            }
        } catch (InterruptedException e) {
            LOG.debug("another coordinator delivers webhooks from here on");
        }
    }

    private void commit() throws InterruptedException {
        Map<Integer, OffsetAndMetadata> now = deliveryPositions.positions();
        if (now.equals(committed)) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        now.forEach((partition, position) -> positions.put(new TopicPartition(topic, partition), position));
        try {
            offsets.commit(context.kafka().topics().webhookGroup(), positions);
            committed = now;
        } catch (KafkaException e) {
            LOG.debug("cannot commit the position of the webhooks: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        committer.interrupt();
        threads.values().forEach(Thread::interrupt);
        follower.close();
        webhookSender.close();
        offsets.close();
    }
}
