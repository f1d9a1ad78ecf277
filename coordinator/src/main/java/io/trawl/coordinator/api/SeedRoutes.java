package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.coordinator.lifecycle.InvalidDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * More seeds for a crawl: {@code /api/crawls/{id}/seeds}. The leader is asked, if there is one: it knows whether there is room for them. A list is taken as a
 * whole or not at all; a stream of lines piece by piece, and if it ends early, the problem says how many were taken.
 */
final class SeedRoutes {
    private final LeaderFirst leader;

    SeedRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        Handler list = leader.look(ctx -> Calls.json(ctx, 202, Map.of("seeds", desk().submit(Calls.id(ctx), list(ctx)))));
        Handler stream = leader.stream(ctx -> Calls.json(ctx, 202, Map.of("seeds", stream(ctx))));
        routes.post("/api/crawls/{id}/seeds", ctx -> (lines(ctx) ? stream : list).handle(ctx));
    }

    private CrawlDesk desk() {
        return leader.desks().crawls();
    }

    private static boolean lines(Context ctx) {
        String type = ctx.contentType();
        return type != null && SeedLines.TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    private long stream(Context ctx) {
        CrawlId crawl = Calls.id(ctx);
        long taken = 0;
        try {
            SeedLines lines = new SeedLines(ctx.bodyInputStream());
            // Also for no seeds at all, so that a crawl that does not exist is told.
            SeedLines.Piece piece;
            do {
                piece = lines.next();
                taken += submit(crawl, piece);
            } while (!piece.seeds().isEmpty());
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PartlyTaken(taken, e);
        } catch (RuntimeException | IOException e) {
            throw new PartlyTaken(taken, e);
        }
    }

    private int submit(CrawlId crawl, SeedLines.Piece piece) throws InterruptedException {
        try {
            return desk().submit(crawl, piece.seeds());
        } catch (InvalidDefinition e) {
            throw piece.named(e);
        }
    }

    private static List<Seed> list(Context ctx) {
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
