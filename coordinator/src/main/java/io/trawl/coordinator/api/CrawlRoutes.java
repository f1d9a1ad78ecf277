package io.trawl.coordinator.api;

import io.trawl.model.InvalidValueException;
import io.trawl.coordinator.api.RestCalls.CursorRule;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.DefinitionTag;
import io.trawl.coordinator.definition.DefinitionTag.Expectation;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.CrawlSummaries;
import io.trawl.coordinator.leader.DefinitionControl;
import io.trawl.coordinator.leader.DomainControl;
import io.trawl.coordinator.leader.LeaderElection.Decision;
import io.trawl.coordinator.leader.QueueControl;
import io.trawl.coordinator.leader.QueueControl.WantedMove;
import io.trawl.coordinator.summary.CrawlFigures;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.Screen;
import io.trawl.pattern.UrlPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Crawls, {@code /api/v1/crawls}, with their accepted domains, stop signs, and orders to move what waits. */
record CrawlRoutes(LeaderRouting leader) {
    private static final String CRAWL = "/api/v1/crawls/{id}";
    private static final String DOMAINS = CRAWL + "/domains";
    private static final String MOVES = CRAWL + "/moves";
    private static final String DRY_RUN = "dryRun";
    private static final String DOMAIN = DOMAINS + "/{name}";

    List<Route> routes() {
        return List.of(Route.get("/api/v1/crawls", leader.look(this::list)),
                Route.get(CRAWL, leader.look(this::summary)).asSmall(),
                leader.change("PUT", CRAWL, ApiBodies.DEFINITION, this::define),
                leader.change("PATCH", CRAWL, ApiBodies.MERGE_PATCH, this::patch),
                leader.change("DELETE", CRAWL, ApiBodies.NONE, this::delete),
                Route.get(CRAWL + "/definition", leader.look(this::definition)),
                order("start", call -> moved(term -> crawls().start(term, RestCalls.id(call)))),
                order("stop", call -> moved(term -> term.commands().stop(RestCalls.id(call)))).asSmall(),
                order("close", this::close), order("refresh", this::refresh),
                leader.show(CRAWL + "/stop-sign",
                        call -> leader.services().commands().stopSigns().of(RestCalls.id(call))).asSmall(),
                leader.show(MOVES, call -> leader.services().commands().queue().moves(RestCalls.id(call))),
                leader.change("POST", MOVES, ApiBodies.JSON, this::move),
                leader.show(DOMAINS, call -> domains().domains(RestCalls.id(call))),
                leader.change("PUT", DOMAIN, ApiBodies.NONE,
                        call -> CallResponse.json(leader.decide(
                                term -> domains().add(term.writer(), RestCalls.id(call), call.parameter("name"))))),
                leader.change("DELETE", DOMAIN, ApiBodies.NONE, call -> CallResponse.json(leader
                        .decide(term -> domains().remove(term.writer(), RestCalls.id(call), call.parameter("name"))))));
    }

    private Route order(String word, Route.Handler handler) {
        return leader.change("POST", CRAWL + "/" + word, ApiBodies.NONE, handler);
    }

    private CallResponse summary(Call call) throws InterruptedException {
        CrawlSummary crawl = summaries().crawl(RestCalls.id(call));
        return RestCalls.summary(call, call.flag("brief") ? crawl.brief() : crawl,
                shown -> CrawlText.of(shown, Screen.FILE));
    }

    private CallResponse close(Call call) throws InterruptedException {
        crawls().awaitSeeds();
        return moved(term -> term.commands().close(RestCalls.id(call)));
    }

    private CallResponse refresh(Call call) throws InterruptedException {
        Optional<UrlPattern> match = call.text("match").map(UrlPattern::parse);
        boolean due = call.flag("due");
        return call.flag(DRY_RUN)
                ? CallResponse.json(crawls().plannedRefresh(RestCalls.id(call), match, due))
                : moved(term -> crawls().refresh(term, RestCalls.id(call), match, due));
    }

    private CallResponse delete(Call call) throws InterruptedException {
        crawls().awaitSeeds();
        leader.decide(term -> term.commands().delete(RestCalls.id(call)));
        return CallResponse.empty(204);
    }

    private CallResponse moved(Decision<CrawlStatus> move) throws InterruptedException {
        return CallResponse.json(summaries().summary(leader.decide(move)));
    }

    private CallResponse move(Call call) throws InterruptedException {
        WantedMove wanted = Json.readBounded(call.body(), WantedMove.class);
        QueueControl queue = leader.services().commands().queue();
        return CallResponse.json(queue.report(leader.decide(term -> queue.move(term, RestCalls.id(call), wanted))));
    }

    private DomainControl domains() {
        return leader.services().commands().domains();
    }

    private CrawlControl crawls() {
        return leader.services().commands().crawls();
    }

    private CrawlSummaries summaries() {
        return crawls().summaries();
    }

    private DefinitionControl definitions() {
        return leader.services().commands().definitions();
    }

    private CallResponse list(Call call) {
        Set<String> states = call.words("state", Arrays.stream(CrawlState.values()).map(Enum::name).toList());
        Predicate<CrawlFigures> wanted = c -> states.isEmpty() || states.contains(c.status().state().name());
        List<CrawlFigures> all = summaries().figures();
        Optional<String> sort = call.text("sort");
        return sort.isEmpty()
                ? RestCalls.page(call, all.stream().filter(wanted).toList(), cursor(summaries()::known),
                        CrawlSummary.class, summaries()::brief)
                : RestCalls.newest(call,
                        all.stream().sorted(CrawlFigures.order(sort.get(), leader.services().time().now())).toList(),
                        wanted, cursor(_ -> false), CrawlSummary.class, summaries()::brief);
    }

    /** In another order than that of their ids, what follows a deleted crawl is not known. */
    private static CursorRule<CrawlFigures> cursor(Predicate<String> gone) {
        return new CursorRule<>(c -> c.crawl().value(), gone, "the id of a crawl");
    }

    private static String key(CrawlSummary crawl) {
        return crawl.crawl().value();
    }

    private CallResponse define(Call call) throws InterruptedException {
        WrittenDefinition written = definitions().read(ApiBodies.definition(call));
        return call.flag(DRY_RUN)
                ? CallResponse.json(definitions().changes(RestCalls.id(call), written, expectation(call)))
                : answer(definitions().define(RestCalls.id(call), written, call.flag("start"), newRun(call),
                        expectation(call)));
    }

    private static NewRun newRun(Call call) {
        boolean refresh = call.flag("refresh");
        if (refresh && call.flag("fresh")) {
            throw new InvalidValueException("refresh", "true", "left out with fresh=true: a fresh run visits no pages");
        }
        return refresh ? NewRun.REFRESH : call.flag("fresh") ? NewRun.FRESH : NewRun.NONE;
    }

    private CallResponse patch(Call call) throws InterruptedException {
        DefinitionText change = DefinitionText.json(call.body());
        return call.flag(DRY_RUN)
                ? CallResponse.json(definitions().patchChanges(RestCalls.id(call), change, expectation(call)))
                : answer(definitions().patch(RestCalls.id(call), change, expectation(call)));
    }

    private static Expectation expectation(Call call) {
        return new Expectation(call.header("If-Match"), call.header("If-None-Match"));
    }

    private static CallResponse answer(DefinitionControl.DefinedCrawl defined) {
        CallResponse response = CallResponse.json(defined.created() ? 201 : 200, defined.summary()).with("ETag",
                defined.tag());
        return defined.created() ? response.with("Location", "/api/v1/crawls/" + key(defined.summary())) : response;
    }

    private CallResponse definition(Call call) throws InterruptedException {
        DefinitionControl.ShownDefinition shown = definitions().definition(RestCalls.id(call));
        CallResponse response = DefinitionTag.names(call.header("If-None-Match").orElse(""), shown.tag())
                ? CallResponse.empty(304)
                : RestCalls.object(call, shown.definition());
        return response.with("ETag", shown.tag()).with("Cache-Control", "no-cache");
    }
}
