package io.trawl.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunVisitsTest {
    /** @param before what the run before has noted, @param now what this one has */
    private static RunVisits visits(Optional<Long> before, Optional<Long> now) {
        return new RunVisits(9,
                Optional.of(new VisitSource(1, 0, 0, 9, true, VisitChoice.ALL, before, Optional.empty())), now);
    }

    @Test
    void whatIsWrittenAfterALossStandsWhereKafkaHasCutTheTopicAndARunThatLacksVisitsIsPlain() {
        RunVisits visits = visits(Optional.empty(), Optional.empty()).promoted(12, new PromotedVisits(3, 0, 0));
        assertThat(visits.cut(10, false)).as("behind the visits that it has made").isEqualTo(visits);
        RunVisits cut = visits.cut(9, false);
        assertThat(cut.plain()).as("the end may be lower only since it was noted after the loss").isTrue();
        assertThat(cut.promotion()).isEqualTo(12);
        cut = visits.cut(5, false);
        assertThat(cut.begin()).isEqualTo(5);
        assertThat(cut.source().orElseThrow().end()).isEqualTo(5);
        assertThat(cut.needs(false)).isZero();
        RunVisits whole = visits.cut(5, true);
        assertThat(whole.begin()).isEqualTo(5);
        assertThat(whole.plain()).isFalse();
        assertThat(whole.source()).isEqualTo(visits.source());
        RunVisits first = new RunVisits(9, Optional.empty(), Optional.empty());
        assertThat(first.cut(5, false)).isEqualTo(new RunVisits(5, Optional.empty(), Optional.empty()));
    }

    @Test
    void archivesHaveWhatTheRunBeforeNamesIfItHadItsArchiveAndKafkaHasLostNothing() {
        Optional<Long> none = Optional.empty();
        assertThat(visits(Optional.of(0L), Optional.of(0L)).archivedBefore()).isTrue();
        assertThat(visits(Optional.of(7L), Optional.of(7L)).archivedBefore()).isTrue();
        assertThat(visits(Optional.of(0L), Optional.of(7L)).archivedBefore()).as("a loss between").isFalse();
        assertThat(visits(none, Optional.of(0L)).archivedBefore()).as("it had none").isFalse();
        assertThat(visits(Optional.of(0L), none).archivedBefore()).as("this one has none").isFalse();
        assertThat(visits(none, none).archivedBefore()).isFalse();
        assertThat(visits(Optional.of(0L), Optional.of(0L)).withoutArchive().archived()).isEmpty();
        assertThat(new RunVisits(9, Optional.empty(), Optional.of(0L)).archivedBefore()).as("no run before").isFalse();
    }
}
