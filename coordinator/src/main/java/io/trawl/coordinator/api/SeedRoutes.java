package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.api.SeedPieces.Piece;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.leader.SeedCall;
import io.trawl.coordinator.seedlist.SeedList;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * More seeds for a crawl: {@code /api/v1/crawls/{id}/seeds}. The leader is asked, if there is one: it knows whether
 * there is room for them, and which it refuses. A JSON list is taken as a whole or not at all; any other list piece by
 * piece, up to its first fault: what follows is only checked, so that the problem names all faults, and says how many
 * seeds were taken.
 */
record SeedRoutes(LeaderRouting leader) {
    /** A caller waits for a minute, and for a list that it streams an hour. */
    private static final Duration VERDICTS_OF_LIST = Duration.ofSeconds(30);
    private static final Duration VERDICTS_OF_STREAM = Duration.ofMinutes(20);

    List<Route> routes() {
        Route.Handler list = leader.look(this::list);
        Route.Handler stream = leader.stream(this::stream);
        return List.of(Route.change("POST", "/api/v1/crawls/{id}/seeds", ApiBodies.SEEDS,
                call -> (call.hasType(SeedPieces.TYPES) ? stream : list).answer(call)));
    }

    private SeedCall begin(Call call) {
        return leader.services().commands().crawls().seeds(RestCalls.id(call));
    }

    private CallResponse list(Call call) throws InterruptedException {
        try (SeedCall seeds = begin(call)) {
            seeds.submit(seeds(call));
            return CallResponse.json(202, seeds.verdicts(VERDICTS_OF_LIST));
        }
    }

    private CallResponse stream(Call call) {
        try (SeedCall seeds = begin(call)) {
            try {
                take(seeds, new SeedPieces(SeedList.of(call.stream(), call.text("column"))));
                return CallResponse.json(202, seeds.verdicts(VERDICTS_OF_STREAM));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PartlyTakenException(seeds.written(), e);
            } catch (RuntimeException e) {
                throw new PartlyTakenException(seeds.written(), e);
            } catch (IOException e) {
                throw new PartlyTakenException(seeds.written(), Call.brokenOff(e));
            }
        }
    }

    /** @throws InvalidDefinitionException with all faults; the seeds before the first one are submitted */
    private static void take(SeedCall seeds, SeedPieces pieces) throws IOException, InterruptedException {
        FaultCollector faults = new FaultCollector();
        boolean sound = true;
        Piece piece;
        // Also for no seeds at all, so that a crawl that does not exist is told.
        do {
            piece = pieces.next();
            try {
                if (sound) {
                    seeds.submit(piece.seeds());
                } else {
                    seeds.check(piece.seeds());
                }
            } catch (InvalidDefinitionException e) {
                InvalidDefinitionException named = piece.named(e);
                faults.addAll(named.faults(), named.more());
                if (sound) {
                    seeds.submit(piece.seeds().subList(0, piece.before(e)));
                }
                sound = false;
            }
            faults.addAll(piece.fault().stream().toList(), 0);
            sound &= piece.fault().isEmpty();
        } while (!piece.last());
        faults.check();
    }

    /** One seed, or a list of seeds. */
    private static List<Seed> seeds(Call call) {
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

    /** A list of seeds was not taken to its end: some seeds are taken, for good. */
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
