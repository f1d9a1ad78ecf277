package io.trawl.coordinator.webhook;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.model.CrawlId;
import io.trawl.model.Webhook;
import io.trawl.settings.Settings;
import io.trawl.worker.WorkerContext;
import java.util.Optional;
import java.util.function.Function;

/** Tells receivers of events while this coordinator leads. Thread-safe. */
public final class Webhooks {
    private final WorkerContext context;
    private final Function<CrawlId, Optional<CrawlStatus>> crawls;
    private final WebhookMetrics metrics;

    /** @param crawls what is known of a crawl */
    public Webhooks(WorkerContext context, Function<CrawlId, Optional<CrawlStatus>> crawls) {
        this.context = context;
        this.crawls = crawls;
        this.metrics = new WebhookMetrics(context.meters());
    }

    /** Begins to send, where the leader before has ended. What is returned ends it, without waiting for anything. */
    public Runnable begin() {
        Settings.Webhook settings = context.settings().webhook();
        Optional<Webhook> deployment = settings.url().map(url -> new Webhook(url, settings.secret()));
        Deliveries deliveries = new Deliveries(context, new Receivers(deployment, crawls), metrics);
        deliveries.start();
        return () -> Thread.ofVirtual().name("webhooks end").start(deliveries::close);
    }
}
