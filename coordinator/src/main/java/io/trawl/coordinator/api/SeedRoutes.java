package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * More seeds for a crawl: {@code /api/v1/crawls/{id}/seeds}. The leader is asked, if there is one: it knows whether
 * there is room for them. A list is taken as a whole or not at all; a stream of lines piece by piece, and if it ends
 * early, the problem says how many were taken.
 */
final class SeedRoutes {
    private final LeaderRouting leader;

    SeedRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    List<Route> routes() {
        Route.Handler list = leader.look(call -> CallResponse.json(202,
                Map.of("seeds", leader.services().commands().crawls().submit(RestCalls.id(call), list(call)))));
        Route.Handler stream = leader.stream(call -> CallResponse.json(202, Map.of("seeds", stream(call))));
        return List.of(Route.change("POST", "/api/v1/crawls/{id}/seeds", ApiBodies.SEEDS,
                call -> (call.hasType(SeedLines.TYPES) ? stream : list).answer(call)));
    }

    private long stream(Call call) {
        CrawlId crawl = RestCalls.id(call);
        long taken = 0;
        try {
            SeedLines lines = new SeedLines(call.stream());
            // Also for no seeds at all, so that a crawl that does not exist is told.
            SeedLines.Piece piece;
            do {
                piece = lines.next();
                taken += submit(crawl, piece);
            } while (!piece.seeds().isEmpty());
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PartlyTakenException(taken, e);
        } catch (RuntimeException | IOException e) {
            throw new PartlyTakenException(taken, e);
        }
    }

    private int submit(CrawlId crawl, SeedLines.Piece piece) throws InterruptedException {
        try {
            return leader.services().commands().crawls().submit(crawl, piece.seeds());
        } catch (InvalidDefinitionException e) {
            throw piece.named(e);
        }
    }

    /** One seed, or a list of seeds. */
    private static List<Seed> list(Call call) {
        byte[] body = call.body();
        if (!startsList(body)) {
            return List.of(Json.readBounded(body, Seed.class));
        }
        Seed[] seeds = Json.readBounded(body, Seed[].class);
        int missing = Arrays.asList(seeds).indexOf(null);
        if (missing >= 0) {
            throw new MalformedRecordException(
                    new Fault("[" + missing + "]", "null", "a URL in quotes, or an object with a url"));
        }
        return List.of(seeds);
    }

    private static boolean startsList(byte[] body) {
        int start = 0;
        while (start < body.length && body[start] <= ' ' && body[start] >= 0) {
            start++;
        }
        return start < body.length && body[start] == '[';
    }

    /** A stream of seeds came to an early end: some seeds are taken, for good. */
    static final class PartlyTakenException extends RuntimeException {
        private final long taken;
        private final Exception why;

        /** @param taken that many, from the first on */
        PartlyTakenException(long taken, Exception why) {
            super(why);
            this.taken = taken;
            this.why = why;
        }

        long taken() {
            return taken;
        }

        Exception why() {
            return why;
        }
    }
}
