package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.trawl.coordinator.view.SchedulerView;
import io.trawl.model.CrawlId;
import java.util.Optional;
import io.javalin.config.RoutesConfig;
import io.trawl.control.StopSign.SignScope;
import io.trawl.codec.Json;
import io.trawl.coordinator.channel.ReplacementPlan;
import io.trawl.coordinator.leader.FleetStatus;
import io.trawl.coordinator.leader.StopSignControl;
import io.trawl.coordinator.leader.StopSignControl.KnownSigns;
import io.trawl.coordinator.leader.StopSignControl.Signed;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.coordinator.text.FleetText;
import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.TreeText;
import io.trawl.model.InvalidValueException;
import io.trawl.module.Registration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What the deployment is and does: {@code /api/v1/summary}, {@code /api/v1/queue}, {@code /api/v1/history},
 * {@code /api/v1/modules}; its settings, {@code /api/v1/settings}; and its stop sign, {@code /api/v1/stop-sign}, beside
 * all others, {@code /api/v1/stop-signs}.
 */
final class FleetRoutes {
    private static final int A_DAY = 1440;
    private final LeaderRouting leader;

    FleetRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/queue", leader.look(ctx -> RestCalls.json(ctx, 200, fleet().queue())));
        routes.post("/api/v1/queue/resize", leader.change(ctx -> {
            ReplacementPlan plan = leader.services().channels().resize(leader.services().election().term(),
                    Json.readBounded(CallBodies.json(ctx), Map.class), RestCalls.flag(ctx, "plan"));
            RestCalls.json(ctx, plan.begun() ? 202 : 200, plan);
        }));
        routes.get("/api/v1/summary", leader.look(this::summary));
        routes.get("/api/v1/modules/{mid}/summary", ctx -> RestCalls.json(ctx, 200,
                leader.services().calls().named(ctx.pathParam("mid"), SchedulerView.SUMMARY)));
        routes.get("/api/v1/history", this::history);
        routes.get("/api/v1/stop-signs", leader
                .look(ctx -> RestCalls.page(ctx, stopSigns().all(), StopSignSummary.class, s -> s.scope().key())));
        routes.get("/api/v1/stop-sign", leader.look(ctx -> RestCalls.json(ctx, 200, stopSigns().of(scope(ctx)))));
        routes.post("/api/v1/stop-sign", leader.change(this::sign));
        routes.delete("/api/v1/stop-sign", leader.change(this::reset));
        routes.get("/api/v1/settings",
                leader.look(ctx -> RestCalls.json(ctx, 200, leader.services().settings().all())));
        routes.patch("/api/v1/settings", leader.change(ctx -> {
            Map<?, ?> wanted = Json.readBounded(CallBodies.mergePatch(ctx), Map.class);
            RestCalls.json(ctx, 200, leader.decide(term -> leader.services().settings().change(term.writer(), wanted)));
        }));
        routes.get("/api/v1/modules", ctx -> RestCalls.page(ctx, byMid(), Registration.class, r -> r.mid().toString()));
    }

    private void summary(Context ctx) throws InterruptedException {
        Optional<CrawlId> crawl = RestCalls.text(ctx, "crawl").map(CrawlId::new);
        if (RestCalls.text(ctx, "shape").isPresent()) {
            RestCalls.summary(ctx, leader.services().scheduler().summary(crawl),
                    summary -> TreeText.of(summary, Screen.FILE));
        } else if (crawl.isPresent()) {
            throw new InvalidValueException("crawl", crawl.get().value(),
                    "given with shape=scheduler; /api/v1/crawls/{id} is the summary of a crawl");
        } else {
            RestCalls.summary(ctx, fleet().summary(),
                    fleet -> FleetText.inFull(fleet, leader.services().time().now(), Screen.FILE));
        }
    }

    private void sign(Context ctx) throws InterruptedException {
        SignScope scope = scope(ctx);
        KnownSigns known = stopSigns().known();
        boolean first = leader.decide(term -> stopSigns().sign(term.writer(), scope, known));
        RestCalls.json(ctx, 200, new Signed(first, stopSigns().summary(scope, known)));
    }

    private void reset(Context ctx) throws InterruptedException {
        SignScope scope = scope(ctx);
        RestCalls.json(ctx, 200, leader.decide(term -> stopSigns().reset(term.writer(), scope)));
    }

    private SignScope scope(Context ctx) {
        return stopSigns().scope(RestCalls.text(ctx, "host"), RestCalls.text(ctx, "module"));
    }

    private void history(Context ctx) throws InterruptedException {
        Optional<CrawlId> crawl = RestCalls.text(ctx, "crawl").map(CrawlId::new);
        boolean recent = crawl.isEmpty() && RestCalls.text(ctx, "minutes").isEmpty();
        RestCalls.json(ctx, 200,
                recent ? fleet().history() : fleet().history(crawl, RestCalls.number(ctx, "minutes", A_DAY, 1, A_DAY)));
    }

    private List<Registration> byMid() {
        return fleet().modules().stream().sorted(Comparator.comparing(r -> r.mid().toString())).toList();
    }

    private StopSignControl stopSigns() {
        return leader.services().stopSigns();
    }

    private FleetStatus fleet() {
        return leader.services().fleet();
    }
}
