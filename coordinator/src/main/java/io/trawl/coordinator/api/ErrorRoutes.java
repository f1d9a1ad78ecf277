package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.coordinator.errors.ErrorFilter;
import io.trawl.coordinator.errors.SeenError;
import io.trawl.coordinator.tail.Feed;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import java.io.IOException;
import java.util.Optional;

/** What went wrong: {@code /api/errors} and, as it comes, {@code /api/errors/stream}. Each coordinator answers by itself. */
final class ErrorRoutes {
    private final LeaderFirst leader;

    ErrorRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/errors", ctx -> Calls.newest(ctx, desk().errors(filter(ctx)), e -> e.id(), SeenError::of));
        routes.get("/api/errors/stream", this::stream);
    }

    private ErrorDesk desk() {
        return leader.desks().errors();
    }

    private static ErrorFilter filter(Context ctx) {
        return new ErrorFilter(Calls.text(ctx, "crawl").map(CrawlId::new), Calls.text(ctx, "kind"), Calls.text(ctx, "host"));
    }

    private void stream(Context ctx) throws IOException, InterruptedException {
        try (Feed<CrawlerError> feed = desk().follow(filter(ctx), Optional.ofNullable(ctx.header("Last-Event-ID")))) {
            new EventStream(ctx).send("error", feed, entry -> Json.text(SeenError.of(entry)));
        }
    }
}
