package io.trawl.coordinator.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** How often receivers were told. Thread-safe. */
final class WebhookMetrics {
    private final Counter delivered;
    private final Counter failed;
    private final Counter givenUp;

    WebhookMetrics(MeterRegistry meters) {
        delivered = counter(meters, "delivered");
        failed = counter(meters, "failed");
        givenUp = counter(meters, "given-up");
    }

    private static Counter counter(MeterRegistry meters, String result) {
        return Counter.builder("trawl.webhook.deliveries").description("Attempts to tell a webhook of an event")
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
