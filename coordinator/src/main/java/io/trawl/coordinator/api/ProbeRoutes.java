package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.coordinator.probe.Explainer;
import io.trawl.direct.DownloadCall;
import io.trawl.extract.rule.ItemField;
import io.trawl.model.CrawlId;
import io.trawl.model.Durations;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at single URLs and hosts: {@code /api/v1/preview}, {@code /api/v1/preview/values}, {@code /api/v1/explain}.
 * Answered by any coordinator, since it asks workers.
 */
final class ProbeRoutes {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private final LeaderRouting leader;

    ProbeRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    /**
     * The body of {@code POST /api/v1/preview}.
     *
     * @param timeout for how long the fetch may take; default 20 seconds
     */
    private record Wanted(Optional<String> url, Optional<CrawlId> crawl, Optional<Duration> timeout) {}

    /**
     * The body of {@code POST /api/v1/preview/values}.
     *
     * @param page the id of a page that was previewed
     * @param field as in the rules of a crawl
     */
    private record Tried(Optional<String> page, Optional<ItemField> field) {}

    void register(RoutesConfig routes) {
        routes.post("/api/v1/preview", this::preview);
        routes.post("/api/v1/preview/values", this::values);
        routes.get("/api/v1/explain", this::explain);
    }

    private void explain(Context ctx) throws InterruptedException {
        Optional<CrawlId> crawl = RestCalls.text(ctx, "crawl").map(CrawlId::new);
        Optional<String> url = RestCalls.text(ctx, "url");
        Optional<String> host = RestCalls.text(ctx, "host");
        if (url.isPresent() == host.isPresent()) {
            throw new InvalidValueException("url", url.orElse(""), "either a URL, or else a host as ?host=");
        }
        Explainer explainer = leader.services().explainer();
        FetchOptions sent = FetchOptions.NONE.with().method(RestCalls.text(ctx, "method"))
                .body(RestCalls.text(ctx, "body")).build();
        RestCalls.json(ctx, 200,
                url.isPresent() ? explainer.url(crawl, url.get(), sent) : explainer.host(crawl, host.orElseThrow()));
    }

    private void values(Context ctx) throws InterruptedException {
        Tried tried = Json.readBounded(CallBodies.json(ctx), Tried.class);
        String page = tried.page()
                .orElseThrow(() -> new InvalidValueException("page", "", "the id of a page that was previewed"));
        ItemField field = tried.field().orElseThrow(
                () -> new InvalidValueException("field", "", "a CSS selector, or an object with its source"));
        RestCalls.json(ctx, 200, leader.services().previewer().values(page, field));
    }

    private void preview(Context ctx) throws InterruptedException {
        Wanted wanted = Json.readBounded(CallBodies.json(ctx), Wanted.class);
        String url = wanted.url().filter(text -> !text.isBlank())
                .orElseThrow(() -> new InvalidValueException("url", "", "an absolute http or https URL"));
        Duration patience = wanted.timeout().orElse(PATIENCE);
        if (patience.isNegative() || patience.isZero() || patience.compareTo(DownloadCall.LONGEST) > 0) {
            throw new InvalidValueException("timeout", Durations.format(patience), "more than 0ms, and at most 2m");
        }
        RestCalls.json(ctx, 200, leader.services().previewer().preview(url, wanted.crawl(), patience));
    }
}
