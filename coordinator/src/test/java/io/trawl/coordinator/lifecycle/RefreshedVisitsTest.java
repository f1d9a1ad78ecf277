package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RefreshedVisitsTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final CrawlDefinition DEFINITION = Json
            .read("{\"refresh\":{\"visitsPerDay\":864000}}".getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);

    /** @param chosen when the run before has chosen its visits */
    private static long most(Optional<Instant> chosen, Instant started) {
        CrawlStatus before = CrawlStatus.of(CrawlRun.parse("docs/2"), 1, DEFINITION, CrawlState.STOPPED)
                .with(status -> status.startedAt(Optional.of(started))
                        .visits(Optional.of(new RunVisits(0,
                                Optional.of(new VisitSource(1, 0, 0, 0, true,
                                        new VisitChoice(Optional.empty(), chosen, Optional.empty()), Optional.empty(),
                                        Optional.empty())),
                                Optional.empty()))));
        VisitChoice choice = RefreshedVisits.due(before, Optional.empty(), NOW);
        assertThat(choice.due()).contains(NOW);
        return choice.most().orElseThrow();
    }

    @Test
    void theVisitsOfADayAreForAllItsTimeAlsoForThatWhichPromotionsTake() {
        assertThat(most(Optional.of(NOW.minusSeconds(3600)), NOW.minusSeconds(3000))).isEqualTo(36_000);
        assertThat(most(Optional.of(NOW.minusMillis(4900)), NOW.minusSeconds(3))).isEqualTo(49);
    }

    private static Registration analyzer(String... plugins) {
        return Registration.of(MID.parse("A1|a:1"), 0, new Counts(0, 0, 0, 0, 0, 0), NOW, List.of(), Phase.RUNNING,
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Stream.of(plugins).findFirst());
    }

    @Test
    void pagesAreReadWithThePlugInsOfTheAnalyzersAndWithNoneThatIsKnownWhileTheseDiffer() {
        Optional<String> own = Optional.of("own");
        assertThat(RefreshedVisits.plugins(List.of(analyzer("a"), analyzer("a")), own)).contains("a");
        assertThat(RefreshedVisits.plugins(List.of(analyzer(), analyzer()), own)).isEmpty();
        assertThat(RefreshedVisits.plugins(List.of(analyzer("b"), analyzer("a"), analyzer()), own)).contains(",a,b");
        assertThat(RefreshedVisits.plugins(List.of(), own)).as("they start with this process").isEqualTo(own);
    }

    @Test
    void afterARunThatVisitedAllPagesTheyAreForTheTimeSinceItsStartAndNeverForMoreThanADay() {
        assertThat(most(Optional.empty(), NOW.minusSeconds(3000))).isEqualTo(30_000);
        assertThat(most(Optional.of(NOW.minus(Duration.ofDays(9))), NOW)).isEqualTo(864_000);
        assertThat(most(Optional.of(NOW), NOW)).isEqualTo(1);
    }

    /** @param ended when a refresh has ended that was to make the visits below 9 */
    private static Optional<CrawlStatus> cut(Optional<Instant> ended, long at) {
        CrawlStatus refresh = CrawlStatus
                .of(CrawlRun.parse("docs/2"), 5, DEFINITION, ended.isEmpty() ? CrawlState.STARTED : CrawlState.STOPPED)
                .with(status -> status.end(ended.map(moment -> new End(EndReason.FINISHED, moment)))
                        .closedAt(Optional.of(NOW))
                        .visits(Optional.of(new RunVisits(12, Optional.of(VisitSource.of(1,
                                new RunVisits(0, Optional.empty(), Optional.empty()), 9, true, VisitChoice.ALL)),
                                Optional.empty()))));
        return RefreshedVisits.afterLoss(refresh, at, NOW);
    }

    @Test
    void aRefreshThatMayLackVisitsIsPlainAndGoesOnIfItHasJustEnded() {
        assertThat(cut(Optional.empty(), 12)).as("nothing of it is lost").isEmpty();
        CrawlStatus goesOn = cut(Optional.empty(), 9).orElseThrow();
        assertThat(goesOn.version()).isEqualTo(6);
        assertThat(goesOn.state()).isEqualTo(CrawlState.STARTED);
        assertThat(goesOn.visits().filter(RunVisits::plain)).isPresent();
        CrawlStatus just = cut(Optional.of(NOW), 9).orElseThrow();
        assertThat(just.state()).isEqualTo(CrawlState.STARTING);
        assertThat(just.closedAt()).as("no user has opened it").contains(NOW);
        CrawlStatus carried = cut(Optional.of(NOW), 10).orElseThrow();
        assertThat(carried.state()).as("it has made all its visits").isEqualTo(CrawlState.STOPPED);
        assertThat(carried.visits().filter(RunVisits::plain)).isEmpty();
        CrawlStatus longAgo = cut(Optional.of(NOW.minusMillis(1)), 5).orElseThrow();
        assertThat(longAgo.state()).isEqualTo(CrawlState.STOPPED);
        assertThat(longAgo.visits().orElseThrow().begin()).isEqualTo(5);
        assertThat(longAgo.visits().filter(RunVisits::plain)).isEmpty();
    }
}
