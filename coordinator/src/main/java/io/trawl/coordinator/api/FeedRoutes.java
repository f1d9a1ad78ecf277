package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.ErrorFilter;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.feed.FeedSubscription;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What went wrong, {@code /api/v1/errors} and, as it comes, {@code /api/v1/errors/stream}; and what has happened to crawls, {@code /api/v1/events}. Each
 * coordinator answers by itself.
 */
final class FeedRoutes {
    /** Each keeps a connection, and the entries that its client has not read yet. */
    private static final int MOST_STREAMS = 100;
    /** In seconds. */
    private static final int AGAIN = 10;
    private final LeaderRouting leader;

    FeedRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/errors",
                ctx -> RestCalls.newest(ctx, leader.services().errors().entries(filter(ctx)), FeedEntry::id, SeenError::of));
        routes.get("/api/v1/errors/stream", this::stream);
        routes.get("/api/v1/events", ctx -> RestCalls.newest(ctx, events(RestCalls.text(ctx, "crawl").map(CrawlId::new)),
                CrawlEvent::id, e -> e));
    }

    private List<CrawlEvent> events(Optional<CrawlId> crawl) {
        return leader.services().events().entries(event -> crawl.isEmpty() || crawl.get().equals(event.crawl())).stream()
                .map(FeedEntry::value).toList();
    }

    private static ErrorFilter filter(Context ctx) {
        return new ErrorFilter(RestCalls.text(ctx, "crawl").map(CrawlId::new), RestCalls.text(ctx, "kind"),
                RestCalls.text(ctx, "host"));
    }

    private void stream(Context ctx) throws IOException, InterruptedException {
        if (leader.services().errors().subscribers() >= MOST_STREAMS) {
            throw CallRefusedException.unavailable("more than " + MOST_STREAMS + " clients follow the errors", AGAIN);
        }
        Optional<String> after = Optional.ofNullable(ctx.header("Last-Event-ID"));
        try (FeedSubscription<CrawlerError> feedSubscription = leader.services().errors().subscribe(after, filter(ctx))) {
            new EventStream(ctx).send("error", feedSubscription, feedEntry -> Json.text(SeenError.of(feedEntry)));
        }
    }
}
