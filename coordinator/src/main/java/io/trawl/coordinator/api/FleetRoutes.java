package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import java.util.Comparator;
import java.util.List;

/** What the deployment is and does: {@code /api/summary}, {@code /api/queue}, {@code /api/history}, {@code /api/modules}. */
final class FleetRoutes {
    private final LeaderFirst leader;

    FleetRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/queue", leader.look(ctx -> Calls.json(ctx, 200, desk().queue())));
        routes.get("/api/summary", leader.look(ctx -> Calls.summary(ctx, desk().summary(), TextForm::of)));
        routes.get("/api/modules/{mid}/summary",
                ctx -> Calls.json(ctx, 200, desk().module(MID.parse(ctx.pathParam("mid")))));
        routes.get("/api/history", ctx -> Calls.json(ctx, 200, desk().history()));
        routes.get("/api/modules", ctx -> Calls.page(ctx, byMid(), r -> r.mid().toString()));
    }

    private List<Registration> byMid() {
        return desk().modules().stream().sorted(Comparator.comparing(r -> r.mid().toString())).toList();
    }

    private FleetDesk desk() {
        return leader.desks().fleet();
    }
}
