package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole table of S7: every state with every command. */
class StateTableTest {
    private static final CrawlId DOCS = new CrawlId("docs");

    @ParameterizedTest(name = "{0}: initialise {1}, start {2}, stop {3}")
    @CsvSource({"UNINITIALIZED, yes, no,  no", "INITIALIZING,  no,  no,  no", "INITIALIZED,   yes, yes, no",
            "STARTING,      no,  no,  no", "STARTED,       no,  no,  yes", "STOPPING,      no,  no,  no",
            "STOPPED,       yes, yes, no"})
    void onlyTheMovesOfTheTableAreAllowed(CrawlState state, String initialise, String start, String stop) {
        check(state, CrawlState.INITIALIZING, initialise);
        check(state, CrawlState.STARTING, start);
        check(state, CrawlState.STOPPING, stop);
    }

    @ParameterizedTest(name = "{0} can never be asked for")
    @CsvSource({"UNINITIALIZED", "INITIALIZED", "STARTED", "STOPPED"})
    void theOtherStatesCannotBeAskedFor(CrawlState wanted) {
        for (CrawlState state : CrawlState.values()) {
            check(state, wanted, "no");
        }
    }

    @ParameterizedTest
    @CsvSource({"STARTED, , started", "STOPPED, ASKED, stopped", "STOPPED, FINISHED, finished",
            "STOPPED, PAGE_LIMIT, at its limit", "STOPPED, BYTE_LIMIT, at its limit",
            "STOPPED, TIME_LIMIT, at its limit", "STOPPED, QUOTA, at its limit", "STOPPING, PAGE_LIMIT, stopping"})
    void oneWordTellsAStateAndWhatHasEndedTheCrawl(CrawlState state, EndReason reason, String word) {
        Optional<End> end = Optional.ofNullable(reason).map(why -> new End(why, Instant.EPOCH));
        CrawlStatus status = status(state).withEnd(end);
        assertThat(status.condition()).isEqualTo(word);
        if (state == CrawlState.STOPPED) {
            assertThatThrownBy(() -> IllegalMoveException.check(status, CrawlState.STOPPING))
                    .hasMessageStartingWith("crawl docs is " + word + ": ");
        }
    }

    private static CrawlStatus status(CrawlState state) {
        return CrawlStatus.of(new CrawlRun(DOCS, 1), 1, CrawlDefinition.of(List.of()), state);
    }

    private static void check(CrawlState state, CrawlState wanted, String allowed) {
        if (allowed.equals("yes")) {
            assertThatCode(() -> IllegalMoveException.check(status(state), wanted)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> IllegalMoveException.check(status(state), wanted))
                    .isInstanceOf(IllegalMoveException.class)
                    .hasMessageStartingWith("crawl docs is " + state.name().toLowerCase(Locale.ROOT) + ": ")
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeGreaterThan(30));
        }
    }
}
