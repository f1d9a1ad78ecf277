package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.trawl.api.Counts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModuleNotesTest {
    private static final StageState WAITS = new WaitingFor(Dependency.OUTPUT_FOLDER, Optional.of("permission denied"));
    private final ManualTime time = ManualTime.standing();
    private final List<CrawlerError> errors = new ArrayList<>();
    private final ModuleNotes notes = new ModuleNotes(MID.parse("P1|127.0.0.1:80"), errors::add, time);

    private List<String> after(int seconds, StageState state, StageNote... ofStage) {
        time.advance(Duration.ofSeconds(seconds));
        return notes.look(state, List.of(ofStage));
    }

    @Test
    void aWaitThatLastsIsNotedWithItsBeginningAndItsCauseAndReportedOnce() {
        String since = "waiting for output folder since " + time.now() + ": permission denied";
        assertThat(after(0, WAITS)).isEmpty();
        assertThat(after(9, WAITS)).isEmpty();
        assertThat(after(1, WAITS)).containsExactly(since);
        assertThat(after(60, WAITS)).containsExactly(since).isEqualTo(notes.latest());
        assertThat(errors).extracting(CrawlerError::cause).containsExactly("P1|127.0.0.1:80: " + since);
        assertThat(after(1, Phase.RUNNING)).isEmpty();
    }

    @Test
    void aWaitForSomethingElseBeginsAnew() {
        after(0, WAITS);
        assertThat(after(20, new WaitingFor(Dependency.KAFKA))).isEmpty();
        assertThat(after(10, new WaitingFor(Dependency.KAFKA))).singleElement().asString()
                .startsWith("waiting for kafka since ");
    }

    @Test
    void aPauseForOtherStagesIsNoFaultAndAFullHeapIsOne() {
        after(0, new HoldingFor(HoldReason.ANALYZERS));
        assertThat(after(60, new HoldingFor(HoldReason.ANALYZERS))).isEmpty();
        after(0, new HoldingFor(HoldReason.MEMORY));
        assertThat(after(60, new HoldingFor(HoldReason.MEMORY))).hasSize(1);
    }

    @Test
    void whatTheStageSaysIsReportedOnceForEachSubjectWhileItLastsOrComesBackWithinTenMinutes() {
        after(1, Phase.RUNNING, new StageNote("silent hosts", "a: 3 requests wait"));
        assertThat(after(1, Phase.RUNNING, new StageNote("silent hosts", "a: 4 requests wait")))
                .containsExactly("a: 4 requests wait");
        assertThat(after(1, Phase.RUNNING)).isEmpty();
        after(500, Phase.RUNNING, new StageNote("silent hosts", "a: 5 requests wait"));
        assertThat(errors).hasSize(1);
        after(600, Phase.RUNNING, new StageNote("silent hosts", "a: 6 requests wait"));
        assertThat(errors).extracting(CrawlerError::kind).containsExactly("MODULE_NOTE", "MODULE_NOTE");
    }

    @Test
    void whatConcernsACrawlIsInTheEntryOfTheModuleAndReportedWithThatOfAllCrawlsOnly() {
        after(1, Phase.RUNNING, new StageNote("name servers", "none answers"),
                StageNote.ofHosts("SLOW hosts", "a: 4 requests wait", Optional.empty()),
                StageNote.ofHosts("SLOW hosts", "a: 3 requests wait", Optional.of(new CrawlId("docs"))));
        assertThat(errors).extracting(CrawlerError::kind).containsExactly("MODULE_NOTE", "HOST_NOTE");
        assertThat(notes.latest()).containsExactly("none answers", "a: 4 requests wait");
        Registration entry = notes.in(new Registration(MID.parse("P1|127.0.0.1:80"), 0, new Counts(0, 0, 0, 0, 0, 0),
                Instant.EPOCH, Map.of(), Phase.RUNNING));
        assertThat(entry.notes()).containsExactly("none answers");
        assertThat(entry.hostNotes())
                .isEqualTo(Map.of("*", List.of("a: 4 requests wait"), "docs", List.of("a: 3 requests wait")));
    }

    @Test
    void aNoteIsReportedAsAnErrorOfItsKind() {
        after(1, Phase.RUNNING,
                new StageNote("CLOCK_DIFFERS", "clock of Kafka", "its clock is 2h ahead of that of Kafka"));
        assertThat(errors).extracting(CrawlerError::kind, CrawlerError::cause)
                .containsExactly(tuple("CLOCK_DIFFERS", "P1|127.0.0.1:80: its clock is 2h ahead of that of Kafka"));
    }
}
