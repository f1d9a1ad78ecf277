package io.trawl.coordinator.webhook;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.model.CrawlId;
import io.trawl.model.Webhook;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Who wants to know of an event: the receiver of the deployment, and those that the crawl's definition names now. Of a crawl that is gone the definition is
 * remembered, unless another coordinator led when it was there. Thread-safe.
 */
final class Receivers {
    private final Optional<Webhook> deployment;
    private final Function<CrawlId, Optional<CrawlStatus>> crawls;
    private final Map<CrawlId, List<Webhook>> last = new ConcurrentHashMap<>();

    Receivers(Optional<Webhook> deployment, Function<CrawlId, Optional<CrawlStatus>> crawls) {
        this.deployment = deployment;
        this.crawls = crawls;
    }

    /** Each URL once. */
    List<Webhook> of(CrawlEvent event) {
        Optional<List<Webhook>> named = crawls.apply(event.crawl()).map(crawl -> crawl.definition().webhooks());
        named.ifPresent(webhooks -> last.put(event.crawl(), webhooks));
        Map<String, Webhook> byUrl = new LinkedHashMap<>();
        deployment.ifPresent(webhook -> byUrl.put(webhook.url(), webhook));
        named.or(() -> Optional.ofNullable(last.remove(event.crawl()))).orElse(List.of())
                .forEach(webhook -> byUrl.putIfAbsent(webhook.url(), webhook));
        return List.copyOf(byUrl.values());
    }
}
