package io.trawl.downloader.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.politeness.UnresponsiveHosts.GiveUpRules;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of hours with a manual clock. */
class UnresponsiveHostsTest {
    private static final HostKey A = new HostKey("a:80");
    private static final FetchResult REFUSED = without(FailureReason.CONNECT, "connection refused");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private final UnresponsiveHosts hosts = new UnresponsiveHosts(
            new GiveUpRules(10, Duration.ofMinutes(5), Duration.ofMinutes(30), 3));
    private long now;

    private static FetchResult without(FailureReason reason, String cause) {
        return FetchResult.without(new Outcome.Failure(reason, cause), Duration.ZERO, Instant.EPOCH);
    }

    private static FetchResult answer(Outcome outcome) {
        return new FetchResult(outcome, Map.of(), Body.EMPTY, Duration.ZERO, Optional.empty(), Instant.EPOCH);
    }

    private Duration fails() {
        return hosts.recordOutcome(A, REFUSED, now);
    }

    private void later(Duration time) {
        now += time.toNanos();
    }

    private void failTimes(int n) {
        for (int i = 0; i < n; i++) {
            later(Duration.ofSeconds(2));
            assertThat(fails()).isZero();
        }
    }

    /** Fails until the host is given up. */
    private void giveUp() {
        failTimes(9);
        for (int minutes : new int[]{5, 10, 20}) {
            assertThat(fails()).isEqualTo(MINUTE.multipliedBy(minutes));
            later(MINUTE.multipliedBy(minutes));
        }
        assertThat(fails()).isZero();
    }

    @Test
    void aSilentHostIsClosedLongerAndLongerAndThenGivenUpForAWhile() {
        assertThat(hosts.probing(A)).isFalse();
        failTimes(9);
        assertThat(hosts.probing(A)).isFalse();
        assertThat(fails()).isEqualTo(MINUTE.multipliedBy(5));
        assertThat(hosts.probing(A)).isTrue();
        assertThat(hosts.givenUp(A, now)).isEmpty();
        later(MINUTE.multipliedBy(5));
        assertThat(fails()).isEqualTo(MINUTE.multipliedBy(10));
        later(MINUTE.multipliedBy(10));
        assertThat(fails()).isEqualTo(MINUTE.multipliedBy(20));
        assertThat(hosts.givenUp()).isZero();
        later(MINUTE.multipliedBy(20));
        assertThat(fails()).isZero();
        assertThat(hosts.givenUp()).isOne();
        assertThat(hosts.givenUp(A, now)).hasValueSatisfying(failure -> {
            assertThat(failure.reason()).isEqualTo(FailureReason.CONNECT);
            assertThat(failure.cause()).contains("a:80", "given up", "13 failures in a row", "30m",
                    "connection refused");
        });
        later(MINUTE.multipliedBy(30).minusNanos(1));
        assertThat(hosts.givenUp(A, now)).isPresent();
        later(Duration.ofNanos(1));
        assertThat(hosts.givenUp(A, now)).as("time for a probe").isEmpty();
    }

    @Test
    void aDeadHostIsAskedTwiceAnHourInTheLongRun() {
        giveUp();
        int asked = 0;
        for (long end = now + Duration.ofDays(1).toNanos(); now < end; later(MINUTE)) {
            if (hosts.givenUp(A, now).isEmpty()) {
                asked++;
                fails();
            }
        }
        assertThat(asked).isBetween(46, 48);
        assertThat(hosts.givenUp()).isOne();
    }

    @Test
    void anyAnswerResetsTheHost() {
        giveUp();
        assertThat(hosts.recordOutcome(A, answer(new Outcome.HttpError(500)), now)).isZero();
        assertThat(hosts.givenUp(A, now)).isEmpty();
        assertThat(hosts.givenUp()).isZero();
        assertThat(hosts.probing(A)).isFalse();
        giveUp();
    }

    @Test
    void failuresThatAreNotInARowDoNotCount() {
        for (int i = 0; i < 100; i++) {
            failTimes(9);
            hosts.recordOutcome(A, answer(new Outcome.Success(200, false)), now);
        }
        assertThat(hosts.probing(A)).isFalse();
    }

    @Test
    void aLateFailureFromBeforeTheClosingDoesNotExtendIt() {
        failTimes(9);
        assertThat(fails()).isPositive();
        later(MINUTE);
        assertThat(fails()).isZero();
        later(MINUTE.multipliedBy(4));
        assertThat(fails()).isEqualTo(MINUTE.multipliedBy(10));
    }

    @ParameterizedTest
    @EnumSource(FailureReason.class)
    void onlyNoAnswerAtAllCounts(FailureReason reason) {
        boolean counts = switch (reason) {
            case DNS, CONNECT, TIMEOUT, TLS -> true;
            default -> false;
        };
        for (int i = 0; i < 10; i++) {
            hosts.recordOutcome(A, without(reason, "x"), now);
        }
        assertThat(hosts.probing(A)).isEqualTo(counts);
    }

    @ParameterizedTest
    @EnumSource(FailureReason.class)
    void noFailureAfterAStatusLineCounts(FailureReason reason) {
        for (int i = 0; i < 100; i++) {
            FetchResult broken = FetchResult.broken(new Outcome.Failure(reason, "x"), Duration.ZERO, Instant.EPOCH);
            assertThat(hosts.recordOutcome(A, broken, now)).isZero();
        }
        assertThat(hosts.probing(A)).isFalse();
    }

    @Test
    void aPageThatTimesOutInItsBodyIsAnAnswerOfItsHost() {
        failTimes(9);
        hosts.recordOutcome(A,
                FetchResult.broken(new Outcome.Failure(FailureReason.TIMEOUT, "x"), Duration.ZERO, Instant.EPOCH), now);
        failTimes(9);
        assertThat(hosts.probing(A)).isFalse();
    }

    @Test
    void outcomesThatSayNothingAboutTheHostChangeNothing() {
        failTimes(9);
        hosts.recordOutcome(A, without(FailureReason.PROXY, "x"), now);
        assertThat(fails()).isPositive();
    }

    @Test
    void failuresAreCountedPerHost() {
        giveUp();
        assertThat(hosts.givenUp(new HostKey("b:80"), now)).isEmpty();
    }

    @Test
    void withoutALimitNoHostIsClosed() {
        UnresponsiveHosts never = new UnresponsiveHosts(new GiveUpRules(0, MINUTE, MINUTE, 3));
        for (int i = 0; i < 1000; i++) {
            assertThat(never.recordOutcome(A, REFUSED, now)).isZero();
        }
        assertThat(never.givenUp()).isZero();
    }

    @Test
    void memoryIsBoundedHoweverManyHostsFail() {
        for (int i = 0; i < 60_000; i++) {
            HostKey host = new HostKey("dead" + i + ":80");
            for (int k = 0; k < 10; k++) {
                hosts.recordOutcome(host, REFUSED, now);
            }
        }
        assertThat(hosts.probing(new HostKey("dead0:80"))).as("forgotten").isFalse();
        assertThat(hosts.probing(new HostKey("dead59999:80"))).isTrue();
    }
}
