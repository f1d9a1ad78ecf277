package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.DefinitionTag;
import io.trawl.coordinator.definition.DefinitionTag.Expectation;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.DomainControl;
import io.trawl.coordinator.leader.LeaderElection.Decision;
import io.trawl.coordinator.leader.QueueControl;
import io.trawl.coordinator.leader.QueueControl.WantedMove;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.Screen;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Crawls, {@code /api/v1/crawls}, with their accepted domains, stop signs, and orders to move what waits. */
final class CrawlRoutes {
    private static final String DOMAINS = "/api/v1/crawls/{id}/domains";
    private static final String MOVES = "/api/v1/crawls/{id}/moves";
    private static final String DRY_RUN = "dryRun";
    private static final String DOMAIN = DOMAINS + "/{name}";
    private final LeaderRouting leader;

    CrawlRoutes(LeaderRouting leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/crawls", leader.look(this::list));
        routes.get("/api/v1/crawls/{id}", leader.look(ctx -> RestCalls.summary(ctx, crawls().crawl(RestCalls.id(ctx)),
                crawl -> CrawlText.of(crawl, Screen.FILE))));
        routes.put("/api/v1/crawls/{id}", leader.change(this::define));
        routes.patch("/api/v1/crawls/{id}", leader.change(this::patch));
        routes.get("/api/v1/crawls/{id}/definition", leader.look(this::definition));
        routes.post("/api/v1/crawls/{id}/start",
                leader.change(ctx -> moved(ctx, term -> crawls().start(term, RestCalls.id(ctx)))));
        routes.post("/api/v1/crawls/{id}/stop",
                leader.change(ctx -> moved(ctx, term -> term.lifecycle().stop(RestCalls.id(ctx)))));
        routes.post("/api/v1/crawls/{id}/close", leader.change(ctx -> {
            crawls().awaitSeeds();
            moved(ctx, term -> term.lifecycle().close(RestCalls.id(ctx)));
        }));
        routes.delete("/api/v1/crawls/{id}", leader.change(ctx -> {
            crawls().awaitSeeds();
            leader.decide(term -> term.commands().delete(RestCalls.id(ctx)));
            ctx.status(204);
        }));
        routes.get("/api/v1/crawls/{id}/stop-sign",
                leader.look(ctx -> RestCalls.json(ctx, 200, leader.services().stopSigns().of(RestCalls.id(ctx)))));
        routes.get(MOVES,
                leader.look(ctx -> RestCalls.json(ctx, 200, leader.services().queue().moves(RestCalls.id(ctx)))));
        routes.post(MOVES, leader.change(this::move));
        routes.get(DOMAINS, leader.look(ctx -> RestCalls.json(ctx, 200, domains().domains(RestCalls.id(ctx)))));
        routes.put(DOMAIN, leader.change(ctx -> RestCalls.json(ctx, 200,
                leader.decide(term -> domains().add(term.writer(), RestCalls.id(ctx), ctx.pathParam("name"))))));
        routes.delete(DOMAIN, leader.change(ctx -> RestCalls.json(ctx, 200,
                leader.decide(term -> domains().remove(term.writer(), RestCalls.id(ctx), ctx.pathParam("name"))))));
    }

    private void moved(Context ctx, Decision<CrawlStatus> move) throws InterruptedException {
        RestCalls.json(ctx, 200, crawls().summary(leader.decide(move)));
    }

    private void move(Context ctx) throws InterruptedException {
        WantedMove wanted = Json.readBounded(CallBodies.json(ctx), WantedMove.class);
        QueueControl queue = leader.services().queue();
        RestCalls.json(ctx, 200, queue.report(leader.decide(term -> queue.move(term, RestCalls.id(ctx), wanted))));
    }

    private DomainControl domains() {
        return leader.services().domains();
    }

    private CrawlControl crawls() {
        return leader.services().crawls();
    }

    private void list(Context ctx) {
        Set<String> states = RestCalls.words(ctx, "state", Arrays.stream(CrawlState.values()).map(Enum::name).toList());
        List<CrawlSummary> crawls = crawls().crawls().stream()
                .filter(c -> states.isEmpty() || states.contains(c.state().name())).toList();
        Optional<String> sort = RestCalls.text(ctx, "sort");
        if (sort.isEmpty()) {
            RestCalls.page(ctx, crawls, CrawlSummary.class, CrawlRoutes::key);
        } else {
            RestCalls.newest(ctx, crawls.stream().sorted(order(sort.get())).toList(), CrawlRoutes::key,
                    CrawlSummary.class, c -> c);
        }
    }

    private static String key(CrawlSummary crawl) {
        return crawl.crawl().value();
    }

    /**
     * The description of the interface names the orders; {@code -} reverses one. Crawls that are equal are sorted by
     * id.
     */
    private static Comparator<CrawlSummary> order(String sort) {
        Comparator<CrawlSummary> order = switch (sort.replaceFirst("^-", "")) {
            case "startedAt" -> Comparator.comparing(c -> c.startedAt().orElse(Instant.EPOCH));
            case "state" -> Comparator.comparing(CrawlSummary::state);
            case "pages" -> Comparator.comparingLong(c -> c.totals().pages());
            case "waiting" -> Comparator.comparingLong(c -> c.totals().waiting());
            case "bytes" -> Comparator.comparingLong(c -> c.totals().bytes());
            default -> Comparator.comparing(CrawlRoutes::key);
        };
        return (sort.startsWith("-") ? order.reversed() : order).thenComparing(CrawlRoutes::key);
    }

    private void define(Context ctx) throws InterruptedException {
        WrittenDefinition written = crawls().read(CallBodies.definition(ctx));
        if (RestCalls.flag(ctx, DRY_RUN)) {
            RestCalls.json(ctx, 200, crawls().changes(RestCalls.id(ctx), written, expectation(ctx)));
            return;
        }
        answer(ctx, crawls().define(RestCalls.id(ctx), written, RestCalls.flag(ctx, "start"),
                RestCalls.flag(ctx, "fresh"), expectation(ctx)));
    }

    private void patch(Context ctx) throws InterruptedException {
        if (RestCalls.flag(ctx, DRY_RUN)) {
            RestCalls.json(ctx, 200, crawls().patchChanges(RestCalls.id(ctx),
                    DefinitionText.json(CallBodies.mergePatch(ctx)), expectation(ctx)));
            return;
        }
        answer(ctx,
                crawls().patch(RestCalls.id(ctx), DefinitionText.json(CallBodies.mergePatch(ctx)), expectation(ctx)));
    }

    private static Expectation expectation(Context ctx) {
        return new Expectation(Optional.ofNullable(ctx.header("If-Match")),
                Optional.ofNullable(ctx.header("If-None-Match")));
    }

    private static void answer(Context ctx, CrawlControl.DefinedCrawl defined) {
        ctx.header("ETag", defined.tag());
        if (defined.created()) {
            ctx.header("Location", "/api/v1/crawls/" + key(defined.summary()));
        }
        RestCalls.json(ctx, defined.created() ? 201 : 200, defined.summary());
    }

    private void definition(Context ctx) throws InterruptedException {
        CrawlControl.ShownDefinition shown = crawls().definition(RestCalls.id(ctx));
        ctx.header("ETag", shown.tag()).header("Cache-Control", "no-cache");
        if (DefinitionTag.names(Optional.ofNullable(ctx.header("If-None-Match")).orElse(""), shown.tag())) {
            ctx.status(304);
        } else {
            RestCalls.object(ctx, shown.definition());
        }
    }
}
