package io.trawl.downloader.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPaceTest {
    private static final long MS = 1_000_000L;
    private final HostPace pace = new HostPace();

    /**
     * Delay, crawl-delay, wait time (each in ms, -1: none), last response time, adaptive factor; the pause that
     * follows.
     */
    @ParameterizedTest
    @CsvSource({"1000,-1,-1,200,1.0,1000", "1000,-1,-1,1500,1.0,1500", "1000,-1,-1,1500,2.0,3000",
            "1000,-1,-1,1500,0,1000", "0,-1,-1,1500,1.0,0", "0,300,-1,1500,1.0,300", "0,-1,400,1500,1.0,400",
            "100,300,-1,0,1.0,300", "1000,300,2000,0,1.0,2000", "1000,999999999,-1,0,1.0,300000"})
    void thePauseIsTheLargestRequestedDelay(long delay, long crawlDelay, long wait, long took, double factor,
            long pause) {
        RequestedDelays requestedDelays = new RequestedDelays(Duration.ofMillis(delay), some(crawlDelay), some(wait));
        pace.ended(7 * MS, took * MS);
        assertThat(pace.mayStart(requestedDelays, new Politeness(factor, Duration.ofMinutes(5))))
                .isEqualTo((7 + pause) * MS);
    }

    private static Optional<Duration> some(long millis) {
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Test
    void aHostThatWasNeverAskedMayBeAskedAtOnce() {
        assertThat(pace.mayStart(requestedDelays(Duration.ofDays(1)), politeness())).isZero();
    }

    @Test
    void aShorterClosureNeverEndsALongerOne() {
        pace.close(0, Duration.ofSeconds(10));
        pace.close(MS, Duration.ofSeconds(1));
        assertThat(pace.mayStart(requestedDelays(Duration.ZERO), politeness()))
                .isEqualTo(Duration.ofSeconds(10).toNanos());
    }

    @Test
    void anAbsurdDelayIsFarAwayAndNotInThePast() {
        pace.ended(5, 0);
        assertThat(pace.mayStart(requestedDelays(Duration.ofSeconds(Long.MAX_VALUE)), politeness()))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatHasSentNothingDoesNotCount() {
        Politeness two = new Politeness(1, Duration.ofMinutes(5), 2);
        RequestedDelays second = requestedDelays(Duration.ofSeconds(1));
        pace.began(5, second, 3);
        pace.ended(7, 0);
        pace.began(9 * MS, requestedDelays(Duration.ofSeconds(60)), 4);
        assertThat(pace.mayStart(second, two)).as("it may be a request").isEqualTo(1009 * MS);
        pace.sentNothing(9 * MS);
        assertThat(pace.mayStart(second, two)).isEqualTo(1000 * MS + 5);
        assertThat(pace.mayStart(second, politeness())).isEqualTo(1000 * MS + 7);
        assertThat(pace.openAt(politeness())).isEqualTo(1000 * MS + 7);
        assertThat(pace.of(3)).isTrue();
        assertThat(pace.of(4)).isFalse();
    }

    @Test
    void whatBeganSinceCountsAlthoughTheOneBeforeHasSentNothing() {
        Politeness two = new Politeness(1, Duration.ofMinutes(5), 2);
        RequestedDelays second = requestedDelays(Duration.ofSeconds(1));
        pace.began(5 * MS, second, 3);
        pace.began(1005 * MS, second, 3);
        pace.sentNothing(5 * MS);
        assertThat(pace.mayStart(second, two)).isEqualTo(2005 * MS);
    }

    @Test
    void theDelaysThatAnExchangeHasShownHoldAfterIt() {
        pace.began(0, requestedDelays(Duration.ofSeconds(1)), 3);
        pace.ended(7 * MS, 0);
        pace.learnt(0, requestedDelays(Duration.ofSeconds(30)));
        assertThat(pace.openAt(politeness())).isEqualTo(30_007 * MS);
        pace.learnt(1, requestedDelays(Duration.ofDays(1)));
        assertThat(pace.openAt(politeness())).as("another one").isEqualTo(30_007 * MS);
    }

    private static RequestedDelays requestedDelays(Duration delay) {
        return new RequestedDelays(delay, Optional.empty(), Optional.empty());
    }

    private static Politeness politeness() {
        return new Politeness(1, Duration.ofMinutes(5));
    }
}
