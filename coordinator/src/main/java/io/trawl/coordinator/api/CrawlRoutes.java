package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Crawls: {@code /api/crawls}. Seeds are asked of the leader like a change, if there is one: it knows whether there is room for them. */
final class CrawlRoutes {
    private final LeaderFirst leader;

    CrawlRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/crawls", leader.look(ctx -> Calls.page(ctx, desk().crawls(), c -> c.run().crawl().value())));
        routes.get("/api/crawls/{id}", leader.look(ctx -> Calls.json(ctx, 200, desk().crawl(Calls.id(ctx)))));
        routes.put("/api/crawls/{id}", leader.change(this::define));
        routes.post("/api/crawls/{id}/start", leader.change(ctx -> Calls.json(ctx, 200, desk().start(Calls.id(ctx)))));
        routes.post("/api/crawls/{id}/stop", leader.change(ctx -> Calls.json(ctx, 200, desk().stop(Calls.id(ctx)))));
        routes.post("/api/crawls/{id}/seeds", leader
                .look(ctx -> Calls.json(ctx, 202, Map.of("seeds", desk().submit(Calls.id(ctx), seeds(ctx))))));
    }

    private CrawlDesk desk() {
        return leader.desks().crawls();
    }

    private void define(Context ctx) throws InterruptedException {
        CrawlDefinition definition = Json.read(ctx.bodyAsBytes(), CrawlDefinition.class);
        CrawlDesk.Defined defined = desk().define(Calls.id(ctx), definition, Calls.flag(ctx, "start"), Calls.flag(ctx, "fresh"));
        Calls.json(ctx, defined.created() ? 201 : 200, defined.summary());
    }

    private static List<Seed> seeds(Context ctx) {
        try {
            Seed[] seeds = Json.read(ctx.bodyAsBytes(), Seed[].class);
            if (Arrays.asList(seeds).contains(null)) {
                throw new MalformedRecord("a seed is null, not a JSON object");
            }
            return List.of(seeds);
        } catch (MalformedRecord e) {
            throw new MalformedRecord("a JSON list of seeds is expected: " + e.getMessage());
        }
    }
}
