package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.trawl.control.ControlRecord.StopSign;

/** Stop signs: {@code /api/stop-signs}, {@code /api/stop-sign} for that of the fleet, {@code /api/crawls/{id}/stop-sign}. */
final class StopSignRoutes {
    private final LeaderFirst leader;

    StopSignRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/stop-signs", leader.look(ctx -> Calls.page(ctx, desk().all(), s -> StopSign.key(s.crawl()))));
        routes.get("/api/crawls/{id}/stop-sign", leader.look(ctx -> Calls.json(ctx, 200, desk().of(Calls.id(ctx)))));
        routes.post("/api/stop-sign", leader.change(ctx -> Calls.json(ctx, 200, desk().sign())));
        routes.delete("/api/stop-sign", leader.change(ctx -> Calls.json(ctx, 200, desk().reset())));
    }

    private StopSignDesk desk() {
        return leader.desks().stopSigns();
    }
}
