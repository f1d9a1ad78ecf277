package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.codec.Json;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.ErrorFilter;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.feed.FeedSubscription;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.feed.TopicTail;
import io.trawl.coordinator.api.EventStream.Events;
import io.trawl.coordinator.api.RestCalls.CursorRule;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import java.util.List;
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

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/errors",
                        call -> newest(call, leader.services().feeds().errors(), filter(call), SeenError.class,
                                SeenError::of)),
                Route.get("/api/v1/errors/stream",
                        call -> follow(call, "error", leader.services().feeds().errors(), filter(call),
                                entry -> Json.text(SeenError.of(entry)))),
                Route.get("/api/v1/events",
                        call -> newest(call, leader.services().feeds().events(), ofCrawl(call), CrawlEvent.class,
                                FeedEntry::value)),
                Route.get("/api/v1/events/stream", call -> follow(call, "event", leader.services().feeds().events(),
                        ofCrawl(call), entry -> Json.text(entry.value()))),
                Route.get("/api/v1/summary/stream", call -> {
                    ApiServices services = leader.services();
                    CrawlQuery query = RestCalls.crawls(call);
                    return stream(out -> out.sendChanges("summary",
                            () -> Json.text(services.views().fleet().summary(query)), services.time()));
                }));
    }

    private static Predicate<CrawlEvent> ofCrawl(Call call) {
        Optional<CrawlId> crawl = call.text("crawl").map(CrawlId::new);
        return event -> crawl.isEmpty() || crawl.get().equals(event.crawl());
    }

    private static ErrorFilter filter(Call call) {
        return new ErrorFilter(call.text("crawl").map(CrawlId::new), call.text("kind"), call.text("host"));
    }

    private static <T, S> CallResponse newest(Call call, TopicTail<T> tail, Predicate<T> wanted, Class<S> type,
            Function<FeedEntry<T>, S> shown) {
        return RestCalls.newest(call, tail.entries(), entry -> wanted.test(entry.value()),
                new CursorRule<>(FeedEntry::id, tail::had, "partition:offset of an entry, as its Link header has it"),
                type, shown);
    }

    private <T> CallResponse follow(Call call, String type, TopicTail<T> tail, Predicate<T> wanted,
            Function<FeedEntry<T>, String> data) {
        return stream(out -> {
            try (FeedSubscription<T> entries = tail.subscribe(call.header("Last-Event-ID"), wanted)) {
                out.send(type, entries, data);
            }
        });
    }

    private CallResponse stream(Events events) {
        return EventStream.response(out -> {
            if (!streams.tryAcquire()) {
                throw CallRefusedException.unavailable("more than " + MOST_STREAMS + " clients follow streams", AGAIN);
            }
            try {
                events.send(out);
            } finally {
                streams.release();
            }
        });
    }
}
