package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.model.CrawlId;

/** What has happened to crawls: {@code /api/events}. Each coordinator answers by itself. */
final class EventRoutes {
    private final LeaderFirst leader;

    EventRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/events",
                ctx -> Calls.newest(ctx, leader.desks().events().events(Calls.text(ctx, "crawl").map(CrawlId::new)),
                        CrawlEvent::id, e -> e));
    }
}
