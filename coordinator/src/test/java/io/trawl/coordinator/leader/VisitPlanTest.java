package io.trawl.coordinator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.HostKeyFactory;
import io.trawl.control.VisitChoice;
import io.trawl.coordinator.leader.VisitPlan.Turn;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import io.trawl.pattern.UrlPattern;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VisitPlanTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final String RULES = "rules";

    private static Request visit(String url, UnaryOperator<VisitBuilder> known) {
        Visit visit = known.apply(VisitBuilder.builder().number(1).state(PageState.STORED).etag(Optional.of("\"1\""))
                .rules(Optional.of(RULES))).build();
        return RequestBuilder.builder().id(new RequestId(url.hashCode())).run(new CrawlRun(new CrawlId("docs"), 1))
                .url(url).host(HostKeyFactory.of(url)).seed(true).visit(Optional.of(visit)).build();
    }

    private static Request due(int page, int interval, long lateBy) {
        return visit("https://example.org/" + page,
                known -> known.interval(interval).due(NOW.getEpochSecond() - lateBy));
    }

    private static VisitPlan plan(VisitChoice choice, List<Request> log) {
        VisitPlan plan = new VisitPlan(choice, RULES);
        log.forEach(plan::add);
        return plan;
    }

    private static List<Turn> turns(VisitChoice choice, List<Request> log) {
        VisitPlan plan = plan(choice, log);
        return log.stream().map(plan::turn).toList();
    }

    @Test
    void allPagesAreVisitedUnlessTheChoiceSaysWhich() {
        List<Request> log = List.of(due(1, 60, 10), due(2, 60, -10), visit("https://example.org/news/1", k -> k));
        assertThat(turns(VisitChoice.ALL, log)).containsOnly(Turn.NOW);
        VisitChoice due = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.empty());
        assertThat(turns(due, log)).as("a page without interval is due").containsExactly(Turn.NOW, Turn.LATER,
                Turn.NOW);
        VisitChoice news = new VisitChoice(Optional.of(UrlPattern.parse("/news/**")), Optional.empty(),
                Optional.empty());
        assertThat(turns(news, log)).containsExactly(Turn.LATER, Turn.LATER, Turn.NOW);
    }

    @Test
    void ifThereIsNotEnoughForAllThosePagesComeThatAreLateByTheLargestPartOfTheirInterval() {
        List<Request> log = new ArrayList<>();
        IntStream.range(0, 1000).forEach(i -> log.add(due(i, 1000, i)));
        IntStream.range(1000, 2000).forEach(i -> log.add(due(i, 100_000, 10L * i)));
        VisitChoice few = new VisitChoice(Optional.empty(), Optional.of(NOW), Optional.of(300L));
        List<Turn> turns = turns(few, log);
        assertThat(turns.stream().filter(Turn.NOW::equals)).as("exactly as many as are permitted").hasSize(300);
        assertThat(turns).as("the others are due, and wait").doesNotContain(Turn.LATER);
        assertThat(turns.subList(800, 1000)).containsOnly(Turn.NOW);
        assertThat(turns.subList(0, 600)).containsOnly(Turn.OVERDUE);
        assertThat(turns.subList(1000, 2000)).as("hours late, of a day").containsOnly(Turn.OVERDUE);
        assertThat(turns(few, log)).as("the same for another leader").isEqualTo(turns);
        assertThat(turns(few, log.subList(0, 200))).as("there is enough").containsOnly(Turn.NOW);
    }

    @Test
    void aPageIsAskedForAsAWholeIfItsHostLiesOrTheRulesHaveChanged() {
        Request honest = visit("https://honest.example/1", k -> k);
        Request liar = visit("https://liar.example/1", k -> k.lied(true));
        Request neighbour = visit("https://liar.example/2", k -> k);
        Request old = visit("https://honest.example/2", k -> k.rules(Optional.of("other")));
        List<Request> log = List.of(neighbour, honest, liar, old);
        VisitPlan plan = plan(VisitChoice.ALL, log);
        assertThat(log.stream().map(plan::planned).flatMap(planned -> planned.visit().stream()).map(Visit::plain))
                .containsExactly(true, false, true, true);
    }

    @Test
    void aPageIsVisitedAtTheSmallestDepthThatTheLogSays() {
        Request far = visit("https://example.org/far", k -> k).withDepth(5);
        Request nearer = far.with(copy -> copy.depth(2).visit(Optional.empty()));
        Request other = visit("https://example.org/other", k -> k).withDepth(3);
        VisitPlan plan = plan(VisitChoice.ALL, List.of(far, other, nearer));
        assertThat(plan.planned(far).depth()).isEqualTo(2);
        assertThat(plan.planned(other).depth()).isEqualTo(3);
    }
}
