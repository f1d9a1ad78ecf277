package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.coordinator.lifecycle.WrittenDefinition;

/** Crawls: {@code /api/crawls}. */
final class CrawlRoutes {
    private final LeaderFirst leader;

    CrawlRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/crawls", leader.look(ctx -> Calls.page(ctx, desk().crawls(), c -> c.run().crawl().value())));
        routes.get("/api/crawls/{id}", leader.look(ctx -> Calls.summary(ctx, desk().crawl(Calls.id(ctx)), TextForm::of)));
        routes.put("/api/crawls/{id}", leader.change(this::define));
        routes.post("/api/crawls/{id}/start", leader.change(ctx -> Calls.json(ctx, 200, desk().start(Calls.id(ctx)))));
        routes.post("/api/crawls/{id}/stop", leader.change(ctx -> Calls.json(ctx, 200, desk().stop(Calls.id(ctx)))));
        routes.delete("/api/crawls/{id}", leader.change(ctx -> {
            desk().delete(Calls.id(ctx));
            ctx.status(204);
        }));
    }

    private CrawlDesk desk() {
        return leader.desks().crawls();
    }

    private void define(Context ctx) throws InterruptedException {
        WrittenDefinition written = WrittenDefinition.read(ctx.bodyAsBytes());
        CrawlDesk.Defined defined = desk().define(Calls.id(ctx), written, Calls.flag(ctx, "start"), Calls.flag(ctx, "fresh"));
        Calls.json(ctx, defined.created() ? 201 : 200, defined.summary());
    }
}
