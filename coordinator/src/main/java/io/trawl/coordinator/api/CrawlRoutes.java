package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeading;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValue;
import io.trawl.model.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The REST interface. What changes something is done by the leader: here if this process leads, otherwise it is passed on and its answer given back.
 * What only looks is asked of the leader too, so that a change is seen by whoever made it; while nobody leads it is answered from what is known here.
 * Seeds go the same way: the leader knows whether there is room for them.
 */
final class CrawlRoutes implements AutoCloseable {
    private final AtomicReference<@Nullable Desk> open = new AtomicReference<>();
    private final Forwarder forwarder = new Forwarder();

    void open(Desk desk) {
        open.set(desk);
    }

    void register(RoutesConfig routes) {
        routes.put("/api/crawls/{id}", byLeader(this::define));
        routes.post("/api/crawls/{id}/start", byLeader(ctx -> json(ctx, 200, desk().start(id(ctx)))));
        routes.post("/api/crawls/{id}/stop", byLeader(ctx -> json(ctx, 200, desk().stop(id(ctx)))));
        routes.post("/api/crawls/{id}/seeds",
                byLeaderIfAny(ctx -> json(ctx, 202, Map.of("seeds", desk().submit(id(ctx), seeds(ctx))))));
        routes.get("/api/crawls/{id}", byLeaderIfAny(ctx -> json(ctx, 200, desk().crawl(id(ctx)))));
        routes.get("/api/crawls", byLeaderIfAny(ctx -> json(ctx, 200, desk().crawls())));
        routes.get("/api/queue", byLeaderIfAny(ctx -> json(ctx, 200, desk().queue())));
        routes.get("/api/summary", byLeaderIfAny(ctx -> json(ctx, 200, desk().summary())));
        routes.get("/api/modules", ctx -> json(ctx, 200, desk().modules()));
    }

    private void define(Context ctx) throws InterruptedException {
        CrawlDefinition definition = Json.read(ctx.bodyAsBytes(), CrawlDefinition.class);
        Desk.Defined defined = desk().define(id(ctx), definition, flag(ctx, "start"), flag(ctx, "fresh"));
        json(ctx, defined.created() ? 201 : 200, defined.summary());
    }

    private Handler byLeader(Handler here) {
        return ctx -> {
            id(ctx);
            try {
                leadingOrThrow();
                here.handle(ctx);
            } catch (NotLeading e) {
                give(ctx, elsewhere(ctx).orElseThrow(() -> e));
            }
        };
    }

    private Handler byLeaderIfAny(Handler here) {
        return ctx -> {
            Optional<Forwarder.Answer> answer = desk().leading() || forwarded(ctx) ? Optional.empty() : elsewhere(ctx);
            if (answer.isPresent()) {
                give(ctx, answer.get());
            } else {
                here.handle(ctx);
            }
        };
    }

    private void leadingOrThrow() {
        if (!desk().leading()) {
            throw new NotLeading();
        }
    }

    private Optional<Forwarder.Answer> elsewhere(Context ctx) throws InterruptedException {
        if (forwarded(ctx)) {
            throw new HttpResponseException(Forwarder.NOT_THE_LEADER, "this coordinator does not lead");
        }
        String query = ctx.queryString();
        String target = ctx.path() + (query == null ? "" : "?" + query);
        return forwarder.ask(desk().others(), new Forwarder.Question(ctx.method().name(), target, ctx.bodyAsBytes()));
    }

    private static boolean forwarded(Context ctx) {
        return ctx.header(Forwarder.MARK) != null;
    }

    private static void give(Context ctx, Forwarder.Answer answer) {
        Problems.retryAfter(answer.status()).ifPresent(seconds -> ctx.header("Retry-After", seconds));
        ctx.status(answer.status()).contentType(answer.contentType()).result(answer.body());
    }

    private Desk desk() {
        Desk desk = open.get();
        if (desk == null) {
            throw new HttpResponseException(503, "starting");
        }
        return desk;
    }

    private static CrawlId id(Context ctx) {
        return new CrawlId(ctx.pathParam("id"));
    }

    private static boolean flag(Context ctx, String name) {
        String value = Optional.ofNullable(ctx.queryParam(name)).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new InvalidValue(name, value, "true or false");
        }
        return value.equals("true");
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

    private static void json(Context ctx, int status, Object value) {
        ctx.status(status).contentType("application/json").result(Json.bytes(value));
    }

    @Override
    public void close() {
        forwarder.close();
    }
}
