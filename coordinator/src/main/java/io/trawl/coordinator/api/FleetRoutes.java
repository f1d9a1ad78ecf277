package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;

/** What the deployment is and does: {@code /api/summary}, {@code /api/queue}, {@code /api/modules}. */
final class FleetRoutes {
    private final LeaderFirst leader;

    FleetRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/queue", leader.look(ctx -> Calls.json(ctx, 200, desk().queue())));
        routes.get("/api/summary", leader.look(ctx -> Calls.json(ctx, 200, desk().summary())));
        routes.get("/api/modules", ctx -> Calls.json(ctx, 200, desk().modules()));
    }

    private FleetDesk desk() {
        return leader.desks().fleet();
    }
}
