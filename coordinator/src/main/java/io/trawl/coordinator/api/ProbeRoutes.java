package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.codec.Json;
import io.trawl.coordinator.probe.Explainer;
import io.trawl.direct.DownloadCall;
import io.trawl.extract.rule.ItemField;
import io.trawl.model.CrawlId;
import io.trawl.model.Durations;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looks at single URLs and hosts: {@code /api/v1/preview}, {@code /api/v1/preview/values}, {@code /api/v1/explain}.
 * Answered by any coordinator, since it asks workers.
 */
record ProbeRoutes(LeaderRouting leader) {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * The body of {@code POST /api/v1/preview}.
     *
     * @param fetcher the name of the fetcher, instead of that of the crawl
     * @param timeout for how long the fetch may take; default 20 seconds
     */
    private record Wanted(Optional<String> url, Optional<CrawlId> crawl, Optional<String> fetcher,
            Optional<Duration> timeout) {}

    /**
     * The body of {@code POST /api/v1/preview/values}.
     *
     * @param page the id of a page that was previewed
     * @param field as in the rules of a crawl
     */
    private record Tried(Optional<String> page, Optional<ItemField> field) {}

    List<Route> routes() {
        // A preview changes nothing, and a caller who may change some crawl may make one.
        return List.of(Route.change("POST", "/api/v1/preview", ApiBodies.JSON, this::preview).forAnyPrefix(),
                Route.change("POST", "/api/v1/preview/values", ApiBodies.JSON, this::values).forAnyPrefix(),
                Route.get("/api/v1/explain", this::explain).asSmall());
    }

    private CallResponse explain(Call call) throws InterruptedException {
        Optional<CrawlId> crawl = call.text("crawl").map(CrawlId::new);
        Optional<String> url = call.text("url");
        Optional<String> host = call.text("host");
        if (url.isPresent() == host.isPresent()) {
            throw new InvalidValueException("url", url.orElse(""), "either a URL, or else a host as ?host=");
        }
        Explainer explainer = leader.services().views().explainer();
        FetchOptions sent = FetchOptions.NONE.with().method(call.text("method")).body(call.text("body")).build();
        return CallResponse.json(200,
                url.isPresent() ? explainer.url(crawl, url.get(), sent) : explainer.host(crawl, host.orElseThrow()));
    }

    private CallResponse values(Call call) throws InterruptedException {
        Tried tried = Json.readBounded(call.body(), Tried.class);
        String page = tried.page()
                .orElseThrow(() -> new InvalidValueException("page", "", "the id of a page that was previewed"));
        ItemField field = tried.field().orElseThrow(
                () -> new InvalidValueException("field", "", "a CSS selector, or an object with its source"));
        return CallResponse.json(leader.services().views().previewer().values(page, field));
    }

    private CallResponse preview(Call call) throws InterruptedException {
        Wanted wanted = Json.readBounded(call.body(), Wanted.class);
        String url = wanted.url().filter(text -> !text.isBlank())
                .orElseThrow(() -> new InvalidValueException("url", "", "an absolute http or https URL"));
        Duration patience = wanted.timeout().orElse(PATIENCE);
        if (patience.isNegative() || patience.isZero() || patience.compareTo(DownloadCall.LONGEST) > 0) {
            throw new InvalidValueException("timeout", Durations.format(patience), "more than 0ms, and at most 2m");
        }
        return CallResponse
                .json(leader.services().views().previewer().preview(url, wanted.crawl(), wanted.fetcher(), patience));
    }
}
