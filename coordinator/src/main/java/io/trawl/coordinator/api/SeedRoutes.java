package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * More seeds for a crawl: {@code /api/v1/crawls/{id}/seeds}. The leader is asked, if there is one: it knows whether
 * there is room for them. A list is taken as a whole or not at all; a stream of lines piece by piece, and if it ends
 * early, the problem says how many were taken.
 */
final class SeedRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(SeedRoutes.class);
    private static final int READ_AWAY = 64 << 20;
    private final LeaderRouting leader;

    SeedRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        Handler list = leader.look(ctx -> RestCalls.json(ctx, 202,
                Map.of("seeds", leader.services().crawls().submit(RestCalls.id(ctx), list(ctx)))));
        Handler stream = leader.stream(ctx -> RestCalls.json(ctx, 202, Map.of("seeds", stream(ctx))));
        routes.post("/api/v1/crawls/{id}/seeds",
                ctx -> (CallBodies.hasType(ctx, SeedLines.TYPES) ? stream : list).handle(ctx));
    }

    private long stream(Context ctx) {
        CrawlId crawl = RestCalls.id(ctx);
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
            throw new PartlyTakenException(taken, e);
        } catch (RuntimeException | IOException e) {
            readAway(ctx.bodyInputStream());
            throw new PartlyTakenException(taken, e);
        }
    }

    /**
     * Reads what a caller still sends, up to 64 MiB: a connection that is closed before its end is reset, and the
     * caller loses the answer (RFC 9112, section 9.6).
     */
    private static void readAway(InputStream body) {
        byte[] unused = new byte[1 << 16];
        try {
            for (int read = 0, all = 0; read >= 0 && all < READ_AWAY; all += read) {
                read = body.read(unused);
            }
        } catch (IOException e) {
            LOG.debug("a caller left before its answer: {}", e.getMessage());
        }
    }

    private int submit(CrawlId crawl, SeedLines.Piece piece) throws InterruptedException {
        try {
            return leader.services().crawls().submit(crawl, piece.seeds());
        } catch (InvalidDefinitionException e) {
            throw piece.named(e);
        }
    }

    /** One seed, or a list of seeds. */
    private static List<Seed> list(Context ctx) {
        byte[] body = CallBodies.json(ctx);
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
