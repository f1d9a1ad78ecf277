package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.telemetry.RecentLog;
import io.trawl.telemetry.RecentLog.LogLine;
import io.trawl.coordinator.view.HostCalls.HostQuery;
import io.trawl.coordinator.view.ItemCalls;
import io.trawl.coordinator.view.RetriedCrawl;
import io.trawl.direct.HostOrder;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What workers hold: stored items of a crawl, hosts, log lines. Answered by any coordinator, since it asks workers. */
final class ViewRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ViewRoutes.class);
    private static final int MOST_SKIPPED = 10_000;
    private static final int MOST_LINES = 1000;
    private static final Duration LOG_LIMIT = Duration.ofSeconds(5);
    private final LeaderRouting leader;

    ViewRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/crawls/{id}/items", ctx -> RestCalls.json(ctx, 200, items().page(run(ctx),
                query(ctx, List.of("kind", "url", "order", "cursor", "limit")), RestCalls.flag(ctx, "brief"))));
        routes.get("/api/v1/crawls/{id}/items/{place}", ctx -> RestCalls.json(ctx, 200,
                items().page(run(ctx), Map.of("place", ctx.pathParam("place")), false).items().getFirst()));
        routes.get("/api/v1/crawls/{id}/items.jsonl", this::download);
        routes.post("/api/v1/crawls/{id}/retry", leader.change(this::retry));
        routes.get("/api/v1/hosts", ctx -> RestCalls.json(ctx, 200, leader.services().hosts().hosts(hosts(ctx))));
        routes.get("/api/v1/modules/{mid}/logs",
                ctx -> RestCalls.json(ctx, 200, leader.services().calls().named(ctx.pathParam("mid"),
                        ModuleQuestion.get(RecentLog.PATH,
                                Map.of("lines", Integer.toString(RestCalls.number(ctx, "lines", 200, 1, MOST_LINES))),
                                LOG_LIMIT, LogLine[].class))));
    }

    private void retry(Context ctx) throws InterruptedException {
        RetriedCrawl retry = leader.services().retries().retry(RestCalls.id(ctx), RestCalls.text(ctx, "kind"));
        ctx.header("Location", "/api/v1/crawls/" + retry.crawl());
        RestCalls.json(ctx, 201, retry);
    }

    private ItemCalls items() {
        return leader.services().items();
    }

    /** The run of a crawl that is asked for, {@code ?epoch=}; the current one if none is. */
    private CrawlRun run(Context ctx) throws InterruptedException {
        CrawlRun current = leader.services().crawls().run(RestCalls.id(ctx));
        return new CrawlRun(current.crawl(), RestCalls.number(ctx, "epoch", current.epoch(), 1, current.epoch()));
    }

    private static Map<String, String> query(Context ctx, List<String> names) {
        Map<String, String> query = new HashMap<>();
        names.forEach(name -> RestCalls.text(ctx, name).ifPresent(value -> query.put(name, value)));
        return query;
    }

    private void download(Context ctx) throws IOException, InterruptedException {
        CrawlRun run = run(ctx);
        Map<String, String> query = query(ctx, List.of("kind", "url", "sink"));
        query.putIfAbsent("sink", "");
        ctx.status(200).contentType("application/x-ndjson").header("Content-Disposition",
                "attachment; filename=\"" + run.crawl() + "-" + run.epoch() + ".jsonl\"");
        try {
            items().copy(run, query, ctx.outputStream());
        } catch (RuntimeException e) {
            if (!ctx.res().isCommitted()) {
                ctx.res().resetBuffer();
                throw e;
            }
            // A body without its end is the only way to say that it is not whole.
            LOG.warn("the download of {} broke off: {}", run, e.getMessage());
            ServletContextRequest.getServletContextRequest(ctx.req()).getConnectionMetaData().getConnection()
                    .getEndPoint().close();
        }
    }

    private static HostQuery hosts(Context ctx) {
        return new HostQuery(RestCalls.text(ctx, "crawl").map(CrawlId::new),
                RestCalls.text(ctx, "q").orElse("").toLowerCase(Locale.ROOT),
                HostOrder.parse(RestCalls.text(ctx, "sort").orElse(HostOrder.WAITING.word())),
                RestCalls.number(ctx, "offset", 0, 0, MOST_SKIPPED), RestCalls.limit(ctx));
    }
}
