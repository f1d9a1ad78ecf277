package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.trawl.codec.Json;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.ErrorFilter;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.feed.FeedSubscription;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.feed.TopicTail;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What went wrong, {@code /api/v1/errors} and, as it comes, {@code /api/v1/errors/stream}; and what has happened to
 * crawls, {@code /api/v1/events}; and as it comes, {@code /api/v1/events/stream}, {@code /api/v1/summary/stream}. Each
 * coordinator answers by itself.
 */
final class FeedRoutes {
    /** Each keeps a connection, and the entries that its client has not read yet. */
    private static final int MOST_STREAMS = 100;
    /** In seconds. */
    private static final int AGAIN = 10;
    private final LeaderRouting leader;
    private final Semaphore streams = new Semaphore(MOST_STREAMS);

    FeedRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/errors", ctx -> RestCalls.newest(ctx, leader.services().errors().entries(filter(ctx)),
                FeedEntry::id, SeenError.class, SeenError::of));
        routes.get("/api/v1/errors/stream", stream((ctx, out) -> follow(ctx, out, "error", leader.services().errors(),
                filter(ctx), entry -> Json.text(SeenError.of(entry)))));
        routes.get("/api/v1/events", ctx -> RestCalls.newest(ctx, leader.services().events().entries(ofCrawl(ctx)),
                FeedEntry::id, CrawlEvent.class, FeedEntry::value));
        routes.get("/api/v1/events/stream", stream((ctx, out) -> follow(ctx, out, "event", leader.services().events(),
                ofCrawl(ctx), entry -> Json.text(entry.value()))));
        routes.get("/api/v1/summary/stream", stream((_, out) -> out.sendChanges("summary",
                () -> Json.text(leader.services().fleet().summary()), leader.services().time())));
    }

    private static Predicate<CrawlEvent> ofCrawl(Context ctx) {
        Optional<CrawlId> crawl = RestCalls.text(ctx, "crawl").map(CrawlId::new);
        return event -> crawl.isEmpty() || crawl.get().equals(event.crawl());
    }

    private static ErrorFilter filter(Context ctx) {
        return new ErrorFilter(RestCalls.text(ctx, "crawl").map(CrawlId::new), RestCalls.text(ctx, "kind"),
                RestCalls.text(ctx, "host"));
    }

    private interface Streamed {
        void send(Context ctx, EventStream out) throws IOException, InterruptedException;
    }

    private Handler stream(Streamed streamed) {
        return ctx -> {
            leader.services();
            if (!streams.tryAcquire()) {
                throw CallRefusedException.unavailable("more than " + MOST_STREAMS + " clients follow streams", AGAIN);
            }
            try {
                streamed.send(ctx, new EventStream(ctx));
            } finally {
                streams.release();
            }
        };
    }

    private static <T> void follow(Context ctx, EventStream out, String type, TopicTail<T> tail, Predicate<T> wanted,
            Function<FeedEntry<T>, String> data) throws IOException, InterruptedException {
        try (FeedSubscription<T> entries = tail.subscribe(Optional.ofNullable(ctx.header("Last-Event-ID")), wanted)) {
            out.send(type, entries, data);
        }
    }
}
