package io.trawl.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.bench.Bench;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Processes that refresh pages which change at known moments: the benchmark {@code refresh}, with
 * {@code -Drefresh.pages=100} in a small form. The choice of visits alone is in {@code ChangeRateTest}, on every
 * commit.
 */
@Tag("nightly")
class KeptFreshIT {
    @Test
    void noVersionIsMissedThatLivesLongerThanItsIntervalAndPagesAreAsFreshAsTheirVisitsCanKeepThem() {
        assertThat(Bench.run("refresh", "--pages", System.getProperty("refresh.pages", "2000")))
                .as("the exit status, after the table").isZero();
    }
}
