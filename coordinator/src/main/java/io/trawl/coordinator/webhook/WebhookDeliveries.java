package io.trawl.coordinator.webhook;

import io.trawl.channel.TopicFollower;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.Hidden;
import io.trawl.control.Webhook;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.webhook.ReceiverQueue.Delivery;
import io.trawl.coordinator.webhook.WebhookDispatcher.WebhookMetrics;
import io.trawl.coordinator.webhook.WebhookDispatcher.WebhookReceivers;
import io.trawl.model.CrawlerError;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events to their receivers, during one term. It commits their positions to Kafka once a second, so that the next
 * leader repeats few deliveries, and to no receiver those for which another one is still waited for; a receiver detects
 * a repetition by its {@code webhook-id}. Thread-safe.
 */
final class WebhookDeliveries implements TopicFollower.Reader, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookDeliveries.class);
    private static final Duration OLDEST = Duration.ofDays(1);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(1);
    private final WorkerContext context;
    private final Time time;
    private final WebhookReceivers webhookReceivers;
    private final WebhookMetrics metrics;
    private final WebhookSender webhookSender = new WebhookSender();
    private final DeliveryPositions deliveryPositions = new DeliveryPositions();
    private final TopicOffsets offsets;
    private final TopicFollower follower;
    private final Map<String, ReceiverQueue> receiverQueues = new ConcurrentHashMap<>();
    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private final Thread committer;
    private Map<Integer, OffsetAndMetadata> committed = Map.of();

    WebhookDeliveries(WorkerContext context, WebhookReceivers webhookReceivers, WebhookMetrics metrics) {
        this.context = context;
        this.time = context.time();
        this.webhookReceivers = webhookReceivers;
        this.metrics = metrics;
        this.offsets = new TopicOffsets(context.kafka().clients().admin());
        this.follower = new TopicFollower("webhooks",
                () -> context.kafka().clients().reader("webhooks-" + context.mid()), context.kafka().topics().events(),
                this, time, context.failures()::fatal);
        this.committer = Thread.ofVirtual().name("webhooks commit").unstarted(this::commitPositions);
    }

    void start() {
        follower.start();
        committer.start();
    }

    /** Without a committed position, delivery begins with the first event of the topic. */
    @Override
    public long begin(TopicPartition partition, long beginning, long end) {
        return deliveryPositions.read(partition.partition()).or(() -> committed(partition)).orElse(beginning);
    }

    private Optional<Long> committed(TopicPartition partition) {
        try {
            Optional<OffsetAndMetadata> known = Optional
                    .ofNullable(offsets.committed(context.kafka().topics().webhookGroup()).get(partition));
            known.ifPresent(position -> deliveryPositions.resume(partition.partition(), position));
            return known.map(OffsetAndMetadata::offset);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public void add(ConsumerRecord<byte[], byte[]> record) {
        CrawlEvent event = CrawlEvent.read(record.value());
        List<Webhook> receivers = event.at().isAfter(time.now().minus(OLDEST)) ? webhookReceivers.of(event) : List.of();
        List<Webhook> wanted = receivers.stream()
                .filter(to -> !deliveryPositions.had(record.partition(), record.offset(), to.url())).toList();
        deliveryPositions.opened(record.partition(), record.offset(), wanted.stream().map(Webhook::url).toList());
        for (Webhook to : wanted) {
            queue(to).add(new Delivery(to, new FeedEntry<>(record.partition(), record.offset(), event)));
        }
    }

    private ReceiverQueue queue(Webhook to) {
        return receiverQueues.computeIfAbsent(to.url(), url -> {
            ReceiverQueue receiverQueue = new ReceiverQueue(webhookSender, time, this);
            threads.put(url, Thread.ofVirtual().name("webhook").start(receiverQueue));
            return receiverQueue;
        });
    }

    /** The receiver has accepted the event. */
    void delivered(Delivery delivery) {
        metrics.delivered();
        deliveryPositions.closed(delivery.event().partition(), delivery.event().offset(), delivery.to().url());
    }

    /** An attempt has failed. @return whether to retry */
    boolean failed(Delivery delivery, String why) {
        metrics.failed();
        LOG.atDebug().addKeyValue(LogKeys.CRAWL, delivery.event().value().crawl())
                .log("cannot deliver to {} event {}: {}", origin(delivery.to()), delivery.event().value().id(), why);
        return delivery.event().value().at().isAfter(time.now().minus(OLDEST));
    }

    /** The event is dropped. */
    void givenUp(Delivery delivery, String why) {
        metrics.givenUp();
        CrawlEvent event = delivery.event().value();
        context.kafka().errors()
                .report(CrawlerError.of(
                        context.mid(), Optional.of(event.crawl()), Optional.empty(), "WEBHOOK", "cannot deliver to "
                                + origin(delivery.to()) + " event " + event.type() + " (" + event.id() + "): " + why,
                        1, time.now()));
        deliveryPositions.closed(delivery.event().partition(), delivery.event().offset(), delivery.to().url());
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
        now.forEach((partition, position) -> positions
                .put(new TopicPartition(context.kafka().topics().events(), partition), position));
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
