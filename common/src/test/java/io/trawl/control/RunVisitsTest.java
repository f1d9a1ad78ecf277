package io.trawl.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.RunVisits.VisitSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunVisitsTest {
    /** @param before what the run before has noted, @param now what this one has */
    private static RunVisits visits(Optional<Long> before, Optional<Long> now) {
        return new RunVisits(9, Optional.of(new VisitSource(1, 0, 9, true, VisitChoice.ALL, before, Optional.empty())),
                now);
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
