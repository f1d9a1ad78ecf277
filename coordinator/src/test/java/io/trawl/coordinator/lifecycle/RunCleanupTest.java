package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.testkit.ListedControl;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCleanupTest {
    private final ControlState controlState = new ControlState(new ListedControl());
    private final List<String> forgotten = new CopyOnWriteArrayList<>();
    private final List<String> givenUp = new CopyOnWriteArrayList<>();
    private final AtomicInteger outages = new AtomicInteger();

    @Test
    void theNextLeaderDeletesWhatADeadLeaderLeft() {
        controlState.enter(status("replaced/3"));
        controlState.enter(status("first/1"));
        controlState.enter(new Deleted(CrawlRun.parse("gone/2"), 9, Instant.EPOCH));
        try (RunCleanup past = cleanup(Time.system())) {
            past.start();
            await().untilAsserted(() -> assertThat(forgotten).containsExactlyInAnyOrder("replaced/1", "replaced/2",
                    "gone/1", "gone/2"));
        }
    }

    @Test
    void anEndedRunIsDeletedAtOnceAndAnUnavailableRedisBlocksNothing() {
        outages.set(1);
        try (RunCleanup past = cleanup(Time.system())) {
            past.start();
            past.over(CrawlRun.parse("lost/1"));
            past.over(CrawlRun.parse("docs/1"));
            await().untilAsserted(() -> assertThat(forgotten).containsExactly("docs/1"));
        }
    }

    /** Processes that had not heard of the end may have learnt more facts in between. */
    @Test
    void anEndedRunIsDeletedOnceMoreInTheNextRoundAndNotAfterThat() throws InterruptedException {
        ManualTime time = ManualTime.standing();
        try (RunCleanup past = cleanup(time)) {
            past.start();
            time.awaitPausing(1);
            controlState.enter(status("docs/2"));
            past.over(CrawlRun.parse("docs/1"));
            pass(time, Duration.ofMillis(500));
            assertThat(forgotten).as("at once").containsExactly("docs/1");
            pass(time, Duration.ofSeconds(59));
            assertThat(forgotten).hasSize(1);
            pass(time, Duration.ofMillis(500));
            assertThat(forgotten).as("a minute after the round before").containsExactly("docs/1", "docs/1");
            pass(time, Duration.ofMinutes(2));
            assertThat(forgotten).hasSize(2);
        }
    }

    @Test
    void theFactsOfARunThatIsRefreshedStayUntilItsVisitsArePromoted() throws InterruptedException {
        ManualTime time = ManualTime.standing();
        RunVisits visits = new RunVisits(7,
                Optional.of(new VisitSource(1, 0, 0, 7, true, VisitChoice.ALL, Optional.empty(), Optional.empty())),
                Optional.empty());
        CrawlStatus refresh = status("docs/2").withVisits(Optional.of(visits));
        controlState.enter(refresh);
        try (RunCleanup past = cleanup(time)) {
            past.start();
            time.awaitPausing(1);
            past.over(CrawlRun.parse("docs/1"));
            pass(time, Duration.ofMinutes(2));
            assertThat(forgotten).isEmpty();
            controlState.enter(refresh.with(
                    next -> next.version(2).visits(Optional.of(visits.promoted(7, new PromotedVisits(0, 0, 0))))));
            pass(time, Duration.ofMillis(500));
            assertThat(forgotten).containsExactly("docs/1");
            pass(time, Duration.ofMinutes(1));
            assertThat(forgotten).as("once more").containsExactly("docs/1", "docs/1");
        }
    }

    /**
     * Each table row is a crawl: what ended it, how long ago, and whether its facts may go after the week by default.
     */
    @ParameterizedTest
    @CsvSource({"FINISHED, 7d, true", "PAGE_LIMIT, 8d, true", "BYTE_LIMIT, 7d, true", "TIME_LIMIT, 7d, true",
            "FINISHED, 167h, false", "ASKED, 70d, false", "QUOTA, 70d, false"})
    void aRunThatHasEndedByItselfIsGivenUpWhenTheTimeOfItsFactsIsOver(EndReason reason, String age, boolean given)
            throws InterruptedException {
        ManualTime time = ManualTime.standing();
        controlState.enter(ended("docs/3", reason, time.now().minus(Durations.parse("age", age))));
        try (RunCleanup past = cleanup(time)) {
            past.start();
            time.awaitPausing(1);
            pass(time, Duration.ofSeconds(59));
            assertThat(givenUp).as("a user may continue it in the first minute of a term").isEmpty();
            pass(time, Duration.ofSeconds(1));
            assertThat(givenUp).isEqualTo(given ? List.of("docs/3") : List.of());
        }
    }

    @Test
    void factsThatAreGivenUpAreDeletedAMinuteAfterTheRecordAlsoByTheNextLeader() throws InterruptedException {
        ManualTime time = ManualTime.standing();
        CrawlStatus ended = ended("docs/2", EndReason.FINISHED, time.now().minus(Duration.ofDays(7)));
        controlState.enter(ended);
        try (RunCleanup past = cleanup(time)) {
            past.start();
            time.awaitPausing(1);
            assertThat(forgotten).as("of the run before").containsExactly("docs/1");
            pass(time, Duration.ofMinutes(1));
            controlState.enter(ended.with(next -> next.version(2).forgottenAt(Optional.of(time.now()))));
            pass(time, Duration.ofSeconds(59));
            assertThat(forgotten).as("processes may not have read the record").hasSize(1);
        }
        ManualTime later = ManualTime.standing();
        try (RunCleanup next = cleanup(later)) {
            next.start();
            later.awaitPausing(1);
            pass(later, Duration.ofSeconds(59));
            assertThat(forgotten).as("its predecessor may just have written it").containsExactly("docs/1", "docs/1");
            outages.set(1);
            pass(later, Duration.ofSeconds(1));
            assertThat(forgotten).as("Redis was away").hasSize(2);
            pass(later, Duration.ofMinutes(1));
            assertThat(forgotten).containsExactly("docs/1", "docs/1", "docs/1", "docs/2");
            pass(later, Duration.ofMinutes(2));
            assertThat(forgotten).as("once").hasSize(4);
        }
        assertThat(givenUp).as("no run twice").containsExactly("docs/2");
    }

    private RunCleanup cleanup(Time time) {
        return new RunCleanup(controlState, run -> givenUp.add(run.toString()), new Recording(), time);
    }

    private static CrawlStatus ended(String run, EndReason reason, Instant at) {
        return status(run).with(ended -> ended.end(Optional.of(new End(reason, at))));
    }

    /** The thread that deletes looks every half a second. */
    private static void pass(ManualTime time, Duration duration) {
        Duration look = Duration.ofMillis(500);
        for (long looks = duration.dividedBy(look); looks > 0; looks--) {
            int before = time.pauses().size();
            time.advance(look);
            await().pollInterval(Duration.ofMillis(1)).until(() -> time.pauses().size() > before);
        }
    }

    private static CrawlStatus status(String run) {
        CrawlDefinition definition = Json.read("{}".getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
        return CrawlStatus.of(CrawlRun.parse(run), 1, definition, CrawlState.STOPPED);
    }

    private final class Recording implements Ledger {
        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forget(CrawlRun run) {
            if (outages.getAndDecrement() > 0) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
            forgotten.add(run.toString());
        }
    }
}
