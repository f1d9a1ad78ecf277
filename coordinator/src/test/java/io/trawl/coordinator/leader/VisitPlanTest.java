package io.trawl.coordinator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.HostKeyFactory;
import io.trawl.codec.Json;
import io.trawl.codec.PageRules;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.VisitChoice;
import io.trawl.coordinator.leader.VisitPlan.Turn;
import io.trawl.coordinator.summary.VisitSummary;
import io.trawl.coordinator.summary.VisitSummary.DuePages;
import io.trawl.coordinator.summary.VisitSummary.IntervalPages;
import io.trawl.model.ChangeRate;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Visit.DueReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import io.trawl.pattern.UrlPattern;
import io.trawl.scope.LinkFacts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class VisitPlanTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final CrawlDefinition DEFINITION = definition("{\"least\":\"1h\"}");
    private static final String RULES = PageRules.digest(DEFINITION, Optional.empty());

    private static CrawlDefinition definition(String refresh) {
        return Json.read(
                ("{\"seeds\":[\"https://example.org/\"],\"refresh\":" + refresh + "}").getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }

    private static Request visit(String url, UnaryOperator<VisitBuilder> known) {
        Visit visit = known.apply(VisitBuilder.builder().number(1).state(PageState.STORED).etag(Optional.of("\"1\""))
                .rules(Optional.of(RULES))).build();
        return RequestBuilder.builder().id(new RequestId(url.hashCode())).run(new CrawlRun(new CrawlId("docs"), 1))
                .url(url).host(HostKeyFactory.of(url)).seed(true).visit(Optional.of(visit)).build();
    }

    /** A page that changes once in so many seconds, and was visited so long ago. */
    private static Request page(int page, int every, long age) {
        return visit("https://example.org/" + page,
                known -> known.visited(NOW.getEpochSecond() - age).rate(Optional.of(new ChangeRate(every, 9))));
    }

    private static VisitPlan plan(VisitChoice choice, CrawlDefinition definition, List<Request> log) {
        VisitPlan plan = new VisitPlan(choice, definition);
        log.forEach(plan::add);
        log.forEach(plan::count);
        return plan;
    }

    private static List<Turn> turns(VisitChoice choice, CrawlDefinition definition, List<Request> log) {
        VisitPlan plan = plan(choice, definition, log);
        return log.stream().map(plan::turn).toList();
    }

    @Test
    void allPagesAreVisitedUnlessTheChoiceSaysWhich() {
        List<Request> log = List.of(page(1, 36_000, 12_000), page(2, 36_000, 6_000),
                visit("https://example.org/news/1", k -> k), page(3, 36_000_000, 12_000).with(
                        missing -> missing.visit(missing.visit().map(visit -> visit.withState(PageState.MISSING)))));
        assertThat(turns(VisitChoice.ALL, DEFINITION, log)).containsOnly(Turn.NOW);
        VisitChoice due = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.empty());
        assertThat(turns(due, DEFINITION, log)).as("and what has no rate, or may be gone").containsExactly(Turn.NOW,
                Turn.LATER, Turn.NOW, Turn.NOW);
        assertThat(turns(due, definition("{\"most\":\"90m\"}"), log)).as("at once").containsOnly(Turn.NOW);
        assertThat(turns(due, definition("{\"least\":\"1d\"}"), log.subList(0, 2))).containsOnly(Turn.LATER);
        VisitChoice news = new VisitChoice(Optional.of(UrlPattern.parse("/news/**")), Optional.empty(),
                Optional.empty());
        assertThat(turns(news, DEFINITION, log.subList(0, 3))).containsExactly(Turn.LATER, Turn.LATER, Turn.NOW);
        VisitChoice one = new VisitChoice(Optional.of(UrlPattern.parse("/2")), Optional.empty(), Optional.empty());
        assertThat(turns(one, DEFINITION, log.subList(0, 3))).as("due or not").containsExactly(Turn.LATER, Turn.NOW,
                Turn.LATER);
    }

    @Test
    void pagesThatWereFoundTogetherDoNotStayTogetherAndNoneIsLate() {
        List<Request> log = IntStream.range(0, 1000).mapToObj(i -> page(i, 36_000, 10_300)).toList();
        VisitChoice due = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.empty());
        assertThat(turns(due, DEFINITION, log)).contains(Turn.NOW, Turn.LATER);
        assertThat(turns(due, DEFINITION, IntStream.range(0, 1000).mapToObj(i -> page(i, 36_000, 10_800)).toList()))
                .containsOnly(Turn.NOW);
    }

    @Test
    void ifThereIsNotEnoughForAllThoseComeOfWhoseVisitTheFreshnessOfAllGainsMost() {
        List<Request> log = new ArrayList<>();
        IntStream.range(0, 1000).forEach(i -> log.add(page(i, 12_000, 12_000 + i)));
        IntStream.range(1000, 2000).forEach(i -> log.add(page(i, 1_200_000, 400_000 + 400L * i)));
        log.add(page(2000, 400, 90 * 86_400));
        VisitChoice few = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.of(300L));
        List<Turn> turns = turns(few, DEFINITION, log);
        assertThat(turns.stream().filter(Turn.NOW::equals)).as("exactly as many as are permitted").hasSize(300);
        assertThat(turns).as("the others are due, and wait").doesNotContain(Turn.LATER);
        assertThat(turns.subList(1800, 2000)).as("the visit of a page that stays for days").containsOnly(Turn.NOW);
        assertThat(turns.subList(0, 1000)).containsOnly(Turn.OVERDUE);
        assertThat(turns.getLast()).as("but longer than 90 days none waits").isEqualTo(Turn.NOW);
        assertThat(turns(few, DEFINITION, log)).as("the same for another leader").isEqualTo(turns);
        assertThat(turns(few, DEFINITION, log.subList(0, 200))).as("there is enough").containsOnly(Turn.NOW);
    }

    /** What a sitemap says: the page changed so long ago. */
    private static Request changed(Request page, long ago) {
        return page.with(copy -> copy.visit(Optional.empty()).parent(Optional.of("https://example.org/sitemap.xml"))
                .options(FetchOptions.NONE.withMetadata(Map.of(LinkFacts.LASTMOD, NOW.minusSeconds(ago).toString()))));
    }

    @Test
    void aPageIsDueIfASourceSaysThatItHasChangedSinceItsLastVisit() {
        Request stays = page(1, 36_000_000, 12_000);
        VisitChoice due = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.empty());
        assertThat(turns(due, DEFINITION, List.of(stays, changed(stays, 11_000))).getFirst()).isEqualTo(Turn.NOW);
        assertThat(turns(due, DEFINITION, List.of(changed(stays, 13_000), changed(stays, 11_000), stays)).getLast())
                .isEqualTo(Turn.NOW);
        assertThat(turns(due, DEFINITION, List.of(stays, changed(stays, 12_000))).getFirst())
                .as("its last visit has seen that").isEqualTo(Turn.LATER);
        assertThat(turns(due, definition("{\"least\":\"4h\"}"), List.of(stays, changed(stays, 11_000))).getFirst())
                .as("not more often than it may be visited").isEqualTo(Turn.LATER);
        VisitChoice news = new VisitChoice(Optional.of(UrlPattern.parse("/news/**")), Optional.of(NOW),
                Optional.empty());
        assertThat(turns(news, DEFINITION, List.of(stays, changed(stays, 11_000))).getFirst()).isEqualTo(Turn.LATER);
        VisitChoice one = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.of(1L));
        List<Request> log = List.of(page(2, 36_000, 40_000), page(3, 36_000_000, 12_000), changed(stays, 11_000),
                stays);
        assertThat(turns(one, DEFINITION, log)).as("the one that has changed for sure, though it came last")
                .containsExactly(Turn.OVERDUE, Turn.LATER, Turn.LATER, Turn.NOW);
    }

    @Test
    void aPageIsDueIfASeedAsksForItUntilItIsVisited() {
        Request stays = page(1, 36_000_000, 100);
        VisitChoice due = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.empty());
        Request mark = LinkFacts.dueMark(stays, NOW.minusSeconds(200)).withVisit(Optional.empty());
        assertThat(turns(due, DEFINITION, List.of(mark, stays)).getLast())
                .as("at once, and the clock of the downloader may be another").isEqualTo(Turn.NOW);
        VisitChoice one = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.of(1L));
        assertThat(turns(one, DEFINITION, List.of(page(2, 36_000, 40_000), mark, stays)).getLast())
                .as("before what is due by its interval").isEqualTo(Turn.NOW);
        VisitChoice news = new VisitChoice(Optional.of(UrlPattern.parse("/news/**")), Optional.of(NOW),
                Optional.empty());
        VisitPlan other = plan(news, DEFINITION, List.of(stays, changed(stays, 50), mark));
        assertThat(other.turn(stays)).isEqualTo(Turn.LATER);
        Request carried = other.planned(stays);
        assertThat(carried.visit().flatMap(Visit::due)).as("and its visit says so")
                .contains(new DueReason(NOW.getEpochSecond() - 200, true));
        assertThat(turns(due, DEFINITION, List.of(carried))).containsOnly(Turn.NOW);
        Request dated = plan(news, DEFINITION, List.of(stays, changed(stays, 50))).planned(stays);
        assertThat(turns(due, definition("{\"least\":\"1m\"}"), List.of(dated))).as("nor is a date forgotten")
                .containsOnly(Turn.NOW);
        assertThat(turns(due, DEFINITION, List.of(dated))).containsOnly(Turn.LATER);
    }

    @Test
    void theSummarySaysHowManyPagesAreDueWhenAndWhichShareIsExpectedToBeFresh() {
        CrawlDefinition definition = definition(
                "{\"least\":\"1h\",\"most\":\"50d\",\"pages\":[{\"match\":\"/5\",\"most\":\"2h\"}]}");
        Request missing = page(4, 86_400, 3000);
        List<Request> log = List.of(page(1, 3600, 10), page(2, 36_000, 36_000), page(3, 360_000, 10_000),
                missing.with(copy -> copy.visit(missing.visit().map(visit -> visit.withState(PageState.MISSING)))),
                page(5, 8_640_000, 0), page(6, 86_400_000, 86_400), visit("https://example.org/7", known -> known),
                page(8, 3600, 10).with(copy -> copy.visit(Optional.empty())));
        VisitPlan plan = plan(VisitChoice.ALL, definition, log);
        VisitSummation sums = new VisitSummation(plan, definition.refreshRules(), NOW);
        log.stream().filter(request -> request.visit().isPresent()).forEach(sums::add);
        VisitSummary summary = sums.result(new CrawlRun(new CrawlId("docs"), 1));
        assertThat(summary.pages()).isEqualTo(7);
        assertThat(summary.due()).isEqualTo(new DuePages(2, 4, 5, 6, 6));
        assertThat(summary.intervals()).containsExactly(new IntervalPages(Optional.of(Duration.ofHours(1)), 2),
                new IntervalPages(Optional.of(Duration.ofHours(6)), 2),
                new IntervalPages(Optional.of(Duration.ofDays(7)), 1), new IntervalPages(Optional.empty(), 1));
        assertThat(summary.fresh().orElseThrow()).as("of pages with items and a rate").isCloseTo(
                DoubleStream.of(10.0 / 3600, 1, 1 / 36.0, 0, 0.001).map(changes -> Math.exp(-changes)).sum() / 5,
                Offset.offset(1e-9));
        assertThat(summary.states()).isEqualTo(Map.of(PageState.STORED, 6L, PageState.MISSING, 1L));

        VisitSummation told = new VisitSummation(plan(VisitChoice.ALL, definition, List.of(changed(log.get(2), 5000))),
                definition.refreshRules(), NOW);
        told.add(log.get(2));
        assertThat(told.result(new CrawlRun(new CrawlId("docs"), 1))).as("it has changed, as a sitemap says")
                .extracting(VisitSummary::fresh, all -> all.due().now()).containsExactly(Optional.of(0.0), 1L);

        VisitSummation unpaced = new VisitSummation(plan, definition("{}").refreshRules(), NOW);
        unpaced.add(page(1, 3600, 10));
        assertThat(unpaced.result(new CrawlRun(new CrawlId("docs"), 1)).fresh()).as("no intervals").isEmpty();
    }

    @Test
    void aPageIsAskedForAsAWholeIfItsHostLiesOrTheRulesHaveChanged() {
        Request honest = visit("https://honest.example/1", k -> k);
        Request liar = visit("https://liar.example/1", k -> k.lied(true));
        Request neighbour = visit("https://liar.example/2", k -> k);
        Request old = visit("https://honest.example/2", k -> k.rules(Optional.of("other")));
        List<Request> log = List.of(neighbour, honest, liar, old);
        VisitPlan plan = plan(VisitChoice.ALL, DEFINITION, log);
        assertThat(log.stream().map(plan::planned).flatMap(planned -> planned.visit().stream()).map(Visit::plain))
                .containsExactly(true, false, true, true);
        VisitPlan other = plan(VisitChoice.ALL.readWith(Optional.of("ab12")), DEFINITION, log);
        assertThat(other.planned(honest).visit().map(Visit::plain)).as("other plug-ins").contains(true);
        Request read = visit("https://honest.example/3",
                k -> k.rules(Optional.of(PageRules.digest(DEFINITION, Optional.of("ab12")))));
        assertThat(other.planned(read).visit().map(Visit::plain)).contains(false);
        assertThat(plan.planned(read).visit().map(Visit::plain)).as("none any more").contains(true);
    }

    @Test
    void aPageIsVisitedAtTheSmallestDepthThatTheLogSays() {
        Request far = visit("https://example.org/far", k -> k).withDepth(5);
        Request nearer = far.with(copy -> copy.depth(2).visit(Optional.empty()));
        Request other = visit("https://example.org/other", k -> k).withDepth(3);
        VisitPlan plan = plan(VisitChoice.ALL, DEFINITION, List.of(far, other, nearer));
        assertThat(plan.planned(far).depth()).isEqualTo(2);
        assertThat(plan.planned(other).depth()).isEqualTo(3);
        assertThat(Stream.of(far, other).map(plan::planned).flatMap(its -> its.visit().stream()).map(Visit::plain))
                .as("its links count from there, and 304 has none").containsExactly(true, false);
    }
}
