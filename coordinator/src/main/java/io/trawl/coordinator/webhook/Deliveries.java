package io.trawl.coordinator.webhook;

import io.trawl.channel.TopicOffsets;
import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.coordinator.tail.Entry;
import io.trawl.coordinator.tail.TopicFollower;
import io.trawl.coordinator.webhook.Lane.Letter;
import io.trawl.log.LogKeys;
import io.trawl.model.CrawlerError;
import io.trawl.model.Webhook;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.net.URI;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events to their receivers, during one term of leading. What is sent is noted in Kafka once a second, so that the next leader repeats little; a
 * receiver knows a repetition by its {@code webhook-id}. Thread-safe.
 */
final class Deliveries implements TopicFollower.Reader, Lane.Outcomes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final Duration OLDEST = Duration.ofDays(1);
    private static final Duration NOTE = Duration.ofSeconds(1);
    private final WorkerContext context;
    private final Time time;
    private final Receivers receivers;
    private final WebhookMetrics metrics;
    private final Sender sender = new Sender();
    private final Sent sent = new Sent();
    private final TopicOffsets offsets;
    private final TopicFollower follower;
    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private final Thread noting;
    private Map<Integer, Long> noted = Map.of();

    Deliveries(WorkerContext context, Receivers receivers, WebhookMetrics metrics) {
        this.context = context;
        this.time = context.time();
        this.receivers = receivers;
        this.metrics = metrics;
        this.offsets = new TopicOffsets(context.kafka().admin());
        this.follower = new TopicFollower("webhooks", () -> context.kafka().reader("webhooks-" + context.mid()),
                context.topics().events(), this, time, context.failures());
        this.noting = Thread.ofVirtual().name("webhooks noted").unstarted(this::noteAgainAndAgain);
    }

    void start() {
        follower.start();
        noting.start();
    }

    /** The first time of all begins with the first event that is there. */
    @Override
    public long begin(TopicPartition partition, long beginning, long end) {
        return sent.read(partition.partition()).or(() -> committed(partition)).orElse(beginning);
    }

    private Optional<Long> committed(TopicPartition partition) {
        try {
            return Optional.ofNullable(offsets.committed(context.topics().webhookGroup()).get(partition))
                    .map(OffsetAndMetadata::offset);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException(e);
        }
    }

    @Override
    public void add(ConsumerRecord<byte[], byte[]> record) {
        Optional<CrawlEvent> event = CrawlEvent.read(record.value()).filter(e -> e.at().isAfter(time.now().minus(OLDEST)));
        List<Webhook> wanted = event.map(receivers::of).orElse(List.of());
        sent.opened(record.partition(), record.offset(), wanted.size());
        for (Webhook to : wanted) {
            lane(to).add(new Letter(to, new Entry<>(record.partition(), record.offset(), event.orElseThrow())));
        }
    }

    private Lane lane(Webhook to) {
        return lanes.computeIfAbsent(to.url(), url -> {
            Lane lane = new Lane(sender, time, this);
            threads.put(url, Thread.ofVirtual().name("webhook").start(lane));
            return lane;
        });
    }

    @Override
    public void delivered(Letter letter) {
        metrics.delivered();
        sent.closed(letter.event().partition(), letter.event().offset());
    }

    @Override
    public boolean failed(Letter letter, String why) {
        metrics.failed();
        LOG.atDebug().addKeyValue(LogKeys.CRAWL, letter.event().value().crawl())
                .log("{} was not told of {}: {}", place(letter.to()), letter.event().value().id(), why);
        return letter.event().value().at().isAfter(time.now().minus(OLDEST));
    }

    @Override
    public void givenUp(Letter letter, String why) {
        metrics.givenUp();
        CrawlEvent event = letter.event().value();
        context.errors().report(CrawlerError.of(context.mid(), Optional.of(event.crawl()), Optional.empty(), "WEBHOOK",
                place(letter.to()) + " was not told of " + event.type() + " (" + event.id() + "): " + why, 1, time.now()));
        sent.closed(letter.event().partition(), letter.event().offset());
    }

    /** Without path and query: there may be secrets in them. */
    private static String place(Webhook to) {
        URI url = URI.create(to.url());
        return url.getScheme() + "://" + url.getAuthority();
    }

    private void noteAgainAndAgain() {
        try {
            while (true) {
                time.pause(NOTE);
                note();
            }
        } catch (InterruptedException e) {
            LOG.debug("webhooks are told by another coordinator from here on");
        }
    }

    private void note() throws InterruptedException {
        Map<Integer, Long> now = sent.positions();
        if (now.equals(noted)) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        now.forEach((partition, offset) -> positions.put(new TopicPartition(context.topics().events(), partition),
                new OffsetAndMetadata(offset)));
        try {
            offsets.commit(context.topics().webhookGroup(), positions);
            noted = now;
        } catch (KafkaException e) {
            LOG.debug("what webhooks were told is not noted: {}", e.getMessage());
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        noting.interrupt();
        threads.values().forEach(Thread::interrupt);
        follower.close();
        sender.close();
        offsets.close();
    }
}
