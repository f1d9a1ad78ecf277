package io.trawl.coordinator.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.WebhookEvent;
import io.trawl.definition.Webhook;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.settings.Settings;
import io.trawl.worker.WorkerContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.InterruptException;

/** Notifies receivers of events while this coordinator leads. Thread-safe. */
public final class WebhookDispatcher {
    private final WorkerContext context;
    private final ControlState controlState;
    private final WebhookMetrics metrics;
    private final List<WebhookDeliveries> begun = new ArrayList<>();

    /** @param controlState knows the definitions of the crawls */
    public WebhookDispatcher(WorkerContext context, ControlState controlState) {
        this.context = context;
        this.controlState = controlState;
        this.metrics = new WebhookMetrics(context.telemetry().meters());
    }

    /** Starts the delivery at the position of the previous leader. */
    public synchronized void begin() {
        end();
        // Pages change by the thousand: their events have queues of their own, so that those of crawls do not wait.
        start(context.kafka().topics().events());
        start(context.kafka().topics().changes());
    }

    private void start(String topic) {
        Settings.WebhookSettings settings = context.settings().webhook();
        Optional<Webhook> deployment = settings.url().map(url -> new Webhook(url, settings.secret(), List.of()));
        WebhookDeliveries deliveries = new WebhookDeliveries(context, topic,
                topic.equals(context.kafka().topics().events()) ? CrawlEvent::read : Codec::change,
                new WebhookReceivers(deployment, controlState), metrics);
        begun.add(deliveries);
        deliveries.start();
    }

    /** Delivers what comes in topics that were deleted and are made again, beside what was read before. */
    public synchronized void madeAgain(List<String> topics) {
        List<WebhookDeliveries> gone = begun.stream().filter(some -> topics.contains(some.topic())).toList();
        gone.forEach(WebhookDeliveries::retire);
        gone.stream().map(WebhookDeliveries::topic).distinct().forEach(this::start);
    }

    /** Stops the delivery, without blocking. */
    public synchronized void end() {
        begun.forEach(deliveries -> Thread.ofVirtual().name("webhooks close").start(deliveries::close));
        begun.clear();
    }

    /**
     * The receivers of an event: that of the deployment, and those in the crawl's current definition, which may be read
     * after the event, though both were written at once. The receivers of a deleted crawl are remembered, unless
     * another coordinator led while the crawl existed. Thread-safe.
     */
    static final class WebhookReceivers {
        private final Optional<Webhook> deployment;
        private final ControlState controlState;
        private final Map<CrawlId, List<Webhook>> last = new ConcurrentHashMap<>();

        WebhookReceivers(Optional<Webhook> deployment, ControlState controlState) {
            this.deployment = deployment;
            this.controlState = controlState;
        }

        /**
         * Each URL once.
         *
         * @throws org.apache.kafka.common.KafkaException if the definition is not known here, and Kafka does not answer
         */
        List<Webhook> of(WebhookEvent event) {
            Optional<List<Webhook>> named = crawl(event).map(crawl -> crawl.definition().webhooks());
            named.ifPresent(webhooks -> last.put(event.crawl(), webhooks));
            Map<String, Webhook> byUrl = new LinkedHashMap<>();
            Stream.concat(deployment.stream(),
                    named.orElseGet(() -> last.getOrDefault(event.crawl(), List.of())).stream())
                    .filter(webhook -> Webhook.isUrl(webhook.url()) && webhook.wants(event.type()))
                    .forEach(webhook -> byUrl.putIfAbsent(webhook.url(), webhook));
            return List.copyOf(byUrl.values());
        }

        private Optional<CrawlStatus> crawl(WebhookEvent event) {
            try {
                return controlState.asOf(new CrawlRun(event.crawl(), event.epoch()));
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }

    /** Counts the attempts. Thread-safe. */
    static final class WebhookMetrics {
        private final Counter delivered;
        private final Counter failed;
        private final Counter givenUp;

        WebhookMetrics(MeterRegistry meters) {
            delivered = counter(meters, "delivered");
            failed = counter(meters, "failed");
            givenUp = counter(meters, "given-up");
        }

        private static Counter counter(MeterRegistry meters, String result) {
            return Counter.builder("trawl.webhook.deliveries").description("Attempts to deliver an event to a webhook")
                    .tag("result", result).register(meters);
        }

        void delivered() {
            delivered.increment();
        }

        void failed() {
            failed.increment();
        }

        void givenUp() {
            givenUp.increment();
        }
    }
}
