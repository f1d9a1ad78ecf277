package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.DomainControl;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.Screen;

/** Crawls, {@code /api/v1/crawls}, with their accepted domains and stop signs. */
final class CrawlRoutes {
    private static final String DOMAINS = "/api/v1/crawls/{id}/domains";
    private static final String DOMAIN = DOMAINS + "/{name}";
    private final LeaderRouting leader;

    CrawlRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/crawls", leader.look(ctx -> RestCalls.page(ctx, crawls().crawls(), c -> c.run().crawl().value())));
        routes.get("/api/v1/crawls/{id}",
                leader.look(ctx -> RestCalls.summary(ctx, crawls().crawl(RestCalls.id(ctx)),
                        crawl -> CrawlText.of(crawl, Screen.FILE))));
        routes.put("/api/v1/crawls/{id}", leader.change(this::define));
        routes.post("/api/v1/crawls/{id}/start",
                leader.change(ctx -> RestCalls.json(ctx, 200, crawls().start(RestCalls.id(ctx)))));
        routes.post("/api/v1/crawls/{id}/stop", leader.change(ctx -> RestCalls.json(ctx, 200, crawls().stop(RestCalls.id(ctx)))));
        routes.delete("/api/v1/crawls/{id}", leader.change(ctx -> {
            crawls().delete(RestCalls.id(ctx));
            ctx.status(204);
        }));
        routes.get("/api/v1/crawls/{id}/stop-sign",
                leader.look(ctx -> RestCalls.json(ctx, 200, leader.services().stopSigns().of(RestCalls.id(ctx)))));
        routes.get(DOMAINS, leader.look(ctx -> RestCalls.json(ctx, 200, domains().domains(RestCalls.id(ctx)))));
        routes.put(DOMAIN,
                leader.change(ctx -> RestCalls.json(ctx, 200, domains().add(RestCalls.id(ctx), ctx.pathParam("name")))));
        routes.delete(DOMAIN,
                leader.change(ctx -> RestCalls.json(ctx, 200, domains().remove(RestCalls.id(ctx), ctx.pathParam("name")))));
    }

    private DomainControl domains() {
        return leader.services().domains();
    }

    private CrawlControl crawls() {
        return leader.services().crawls();
    }

    private void define(Context ctx) throws InterruptedException {
        WrittenDefinition written = WrittenDefinition.read(CallBodies.json(ctx));
        CrawlControl.DefinedCrawl definedCrawl = crawls().define(RestCalls.id(ctx), written, RestCalls.flag(ctx, "start"),
                RestCalls.flag(ctx, "fresh"));
        RestCalls.json(ctx, definedCrawl.created() ? 201 : 200, definedCrawl.summary());
    }
}
