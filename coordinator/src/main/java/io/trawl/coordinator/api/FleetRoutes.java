package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.coordinator.api.RestCalls.CursorRule;
import io.trawl.coordinator.view.SchedulerView;
import io.trawl.model.CrawlId;
import java.util.Optional;
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
import io.trawl.model.MID;
import io.trawl.module.Registration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What the deployment is and does: {@code /api/v1/summary}, {@code /api/v1/queue}, {@code /api/v1/history},
 * {@code /api/v1/modules}; its settings, {@code /api/v1/settings}; and its stop sign, {@code /api/v1/stop-sign}, beside
 * all others, {@code /api/v1/stop-signs}.
 */
record FleetRoutes(LeaderRouting leader) {
    private static final int A_DAY = 1440;

    List<Route> routes() {
        return List.of(leader.show("/api/v1/queue", _ -> fleet().queue()).asSmall(),
                leader.change("POST", "/api/v1/queue/resize", ApiBodies.JSON, this::resize),
                Route.get("/api/v1/summary", leader.look(this::summary)).asSmall(),
                Route.get("/api/v1/modules/{mid}/summary", this::module).asSmall(),
                Route.get("/api/v1/modules", this::modules).asSmall(), Route.get("/api/v1/history", this::history),
                Route.get("/api/v1/stop-signs", leader.look(this::signs)).asSmall(),
                leader.show("/api/v1/stop-sign", call -> stopSigns().of(scope(call))),
                leader.change("POST", "/api/v1/stop-sign", ApiBodies.NONE, this::sign).asSmall(),
                leader.change("DELETE", "/api/v1/stop-sign", ApiBodies.NONE, this::reset),
                leader.show("/api/v1/settings", _ -> leader.services().commands().settings().all()),
                leader.change("PATCH", "/api/v1/settings", ApiBodies.MERGE_PATCH, this::set));
    }

    private CallResponse set(Call call) throws InterruptedException {
        Map<?, ?> wanted = Json.readBounded(call.body(), Map.class);
        return CallResponse
                .json(leader.decide(term -> leader.services().commands().settings().change(term.writer(), wanted)));
    }

    private CallResponse module(Call call) throws InterruptedException {
        return CallResponse.json(leader.services().calls().named(call.parameter("mid"), SchedulerView.SUMMARY));
    }

    private CallResponse modules(Call call) {
        List<Registration> byMid = fleet().modules().stream().sorted(Comparator.comparing(r -> r.mid().toString()))
                .toList();
        return RestCalls.page(call, byMid, Registration.class,
                new CursorRule<>(r -> r.mid().toString(), MID::isWritten, "a MID, such as D3|10.0.0.7:8081"));
    }

    private CallResponse signs(Call call) throws InterruptedException {
        return RestCalls.page(call, stopSigns().all(), StopSignSummary.class, new CursorRule<>(s -> s.scope().key(),
                stopSigns()::known, "the key of a sign that was set, such as stop/docs"));
    }

    private CallResponse resize(Call call) throws InterruptedException {
        ReplacementPlan plan = leader.services().commands().channels().resize(leader.services().election().term(),
                Json.readBounded(call.body(), Map.class), call.flag("plan"));
        return CallResponse.json(plan.begun() ? 202 : 200, plan);
    }

    private CallResponse summary(Call call) throws InterruptedException {
        Optional<CrawlId> crawl = call.text("crawl").map(CrawlId::new);
        if (call.text("shape").isPresent()) {
            return RestCalls.summary(call, leader.services().views().scheduler().summary(crawl),
                    summary -> TreeText.of(summary, Screen.FILE));
        }
        if (crawl.isPresent()) {
            throw new InvalidValueException("crawl", crawl.get().value(),
                    "given with shape=scheduler; /api/v1/crawls/{id} is the summary of a crawl");
        }
        return RestCalls.summary(call, fleet().summary(RestCalls.crawls(call)),
                fleet -> FleetText.inFull(fleet, leader.services().time().now(), Screen.FILE));
    }

    private CallResponse sign(Call call) throws InterruptedException {
        SignScope scope = scope(call);
        KnownSigns known = stopSigns().known();
        boolean first = leader.decide(term -> stopSigns().sign(term.writer(), scope, known));
        return CallResponse.json(new Signed(first, stopSigns().summary(scope, known)));
    }

    private CallResponse reset(Call call) throws InterruptedException {
        SignScope scope = scope(call);
        return CallResponse.json(leader.decide(term -> stopSigns().reset(term.writer(), scope)));
    }

    private SignScope scope(Call call) {
        return stopSigns().scope(call.text("host"), call.text("module"));
    }

    private CallResponse history(Call call) throws InterruptedException {
        Optional<CrawlId> crawl = call.text("crawl").map(CrawlId::new);
        boolean recent = crawl.isEmpty() && call.text("minutes").isEmpty();
        return CallResponse.json(200,
                recent ? fleet().history() : fleet().history(crawl, call.number("minutes", A_DAY, 1, A_DAY)));
    }

    private StopSignControl stopSigns() {
        return leader.services().commands().stopSigns();
    }

    private FleetStatus fleet() {
        return leader.services().views().fleet();
    }
}
