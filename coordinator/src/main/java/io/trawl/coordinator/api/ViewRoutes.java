package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.model.Choice;
import io.trawl.telemetry.RecentLog;
import io.trawl.telemetry.RecentLog.LogLine;
import io.trawl.coordinator.view.HostCalls.HostQuery;
import io.trawl.coordinator.view.ItemCalls;
import io.trawl.coordinator.lifecycle.RetriedCrawl;
import io.trawl.direct.HostOrder;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What workers and topics hold: stored items of a crawl, its next visits, hosts, log lines. Answered by any
 * coordinator, since it asks them.
 */
record ViewRoutes(LeaderRouting leader) {
    private static final int MOST_SKIPPED = 10_000;
    private static final int MOST_LINES = 1000;
    private static final Duration LOG_LIMIT = Duration.ofSeconds(5);

    List<Route> routes() {
        return List.of(Route.get("/api/v1/crawls/{id}/items", this::items),
                Route.get("/api/v1/crawls/{id}/items/{place}", this::item),
                Route.get("/api/v1/crawls/{id}/items.jsonl", this::download),
                Route.get("/api/v1/crawls/{id}/diff", this::diff),
                Route.get("/api/v1/crawls/{id}/visits",
                        call -> CallResponse.json(leader.services().views().visits().summary(RestCalls.id(call)))),
                leader.change("POST", "/api/v1/crawls/{id}/retry", ApiBodies.NONE, this::retry),
                Route.get("/api/v1/hosts",
                        call -> CallResponse.json(leader.services().views().hosts().hosts(hosts(call)))),
                Route.get("/api/v1/modules/{mid}/logs", this::logs));
    }

    private CallResponse items(Call call) throws InterruptedException {
        Map<String, String> query = query(call, List.of("kind", "url", "order", "cursor", "limit"));
        return CallResponse.json(items().page(run(call), query, call.flag("brief")));
    }

    private CallResponse item(Call call) throws InterruptedException {
        Map<String, String> query = Map.of("place", call.parameter("place"));
        return CallResponse.json(items().page(run(call), query, false).items().getFirst());
    }

    private CallResponse diff(Call call) throws InterruptedException {
        Map<String, String> query = query(call, List.of("epoch", "since", "url", "cursor", "limit"));
        return CallResponse.json(items().diff(run(call).crawl(), query));
    }

    private CallResponse logs(Call call) throws InterruptedException {
        Map<String, String> query = Map.of("lines", Integer.toString(call.number("lines", 200, 1, MOST_LINES)));
        return CallResponse.json(leader.services().calls().named(call.parameter("mid"),
                ModuleQuestion.get(RecentLog.PATH, query, LOG_LIMIT, LogLine[].class)));
    }

    private CallResponse retry(Call call) throws InterruptedException {
        RetriedCrawl retry = leader.services().commands().retries().retry(RestCalls.id(call), call.text("kind"));
        return CallResponse.json(201, retry).with("Location", "/api/v1/crawls/" + retry.crawl());
    }

    private ItemCalls items() {
        return leader.services().views().items();
    }

    /** The run of a crawl that is asked for, {@code ?epoch=}; the current one if none is. */
    private CrawlRun run(Call call) throws InterruptedException {
        CrawlRun current = leader.services().commands().crawls().summaries().run(RestCalls.id(call));
        return new CrawlRun(current.crawl(), call.number("epoch", current.epoch(), 1, current.epoch()));
    }

    private static Map<String, String> query(Call call, List<String> names) {
        Map<String, String> query = new HashMap<>();
        names.forEach(name -> call.text(name).ifPresent(value -> query.put(name, value)));
        return query;
    }

    private CallResponse download(Call call) throws InterruptedException {
        CrawlRun run = run(call);
        Map<String, String> query = query(call, List.of("kind", "url", "sink"));
        query.putIfAbsent("sink", "");
        return CallResponse.streamed("application/x-ndjson", out -> items().copy(run, query, out))
                .with("Content-Disposition", "attachment; filename=\"" + run.crawl() + "-" + run.epoch() + ".jsonl\"");
    }

    private static HostQuery hosts(Call call) {
        return new HostQuery(call.text("crawl").map(CrawlId::new), call.text("q").orElse("").toLowerCase(Locale.ROOT),
                Choice.of("sort", HostOrder.values(), call.text("sort").orElse(HostOrder.WAITING.word())),
                call.number("offset", 0, 0, MOST_SKIPPED), RestCalls.limit(call));
    }
}
