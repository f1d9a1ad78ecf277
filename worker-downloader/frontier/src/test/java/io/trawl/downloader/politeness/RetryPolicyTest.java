package io.trawl.downloader.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RetryPolicyTest {
    private static final Settings.DownloaderSettings SETTINGS = SettingsReader
            .from(Map.of("trawl.downloader.retries-failure", "2", "trawl.downloader.retries-status", "3",
                    "trawl.downloader.back-off", "2s", "trawl.downloader.longest-pause", "1m"))
            .downloader();
    /** The middle of the jitter: the pause is the plain back-off. */
    private final RetryPolicy policy = new RetryPolicy(SETTINGS, () -> 0.5);

    private static FetchResult fetched(Outcome outcome, Optional<Duration> retryAfter) {
        return new FetchResult(outcome, Map.of(), Body.EMPTY, Duration.ZERO, retryAfter, Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource({"400,none", "401,none", "403,none", "404,none", "408,request", "410,none", "429,host", "451,none",
            "500,request", "501,none", "502,host", "503,host", "504,host", "505,none", "507,request", "511,none",
            "520,host", "522,host", "599,host", "600,none", "304,none", "301,none"})
    void aStatusIsTriedAgainByTheTable(int status, String waits) {
        FetchResult fetchResult = fetched(new Outcome.HttpError(status), Optional.empty());
        switch (waits) {
            case "none" -> assertThat(policy.decide(fetchResult, 1)).isEqualTo(new RetryDecision.GiveUp(Duration.ZERO));
            case "request" -> {
                assertThat(policy.decide(fetchResult, 3))
                        .isEqualTo(new RetryDecision.RetryLater(Duration.ofSeconds(8), false));
                assertThat(policy.decide(fetchResult, 4)).isEqualTo(new RetryDecision.GiveUp(Duration.ZERO));
            }
            default -> {
                assertThat(policy.decide(fetchResult, 1))
                        .isEqualTo(new RetryDecision.RetryLater(Duration.ofSeconds(2), true));
                assertThat(policy.decide(fetchResult, 3))
                        .isEqualTo(new RetryDecision.RetryLater(Duration.ofSeconds(8), true));
                assertThat(policy.decide(fetchResult, 4)).isEqualTo(new RetryDecision.GiveUp(Duration.ofSeconds(16)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DNS,host", "CONNECT,host", "TIMEOUT,host", "PROTOCOL,request", "PROXY,request", "TLS,none",
            "TOO_LARGE,none", "REDIRECTS,none", "ROBOTS,none", "PARSE,none", "OTHER,none"})
    void aFailureIsTriedAgainByTheTable(FailureReason reason, String waits) {
        FetchResult fetchResult = fetched(new Outcome.Failure(reason, "words"), Optional.empty());
        if (waits.equals("none")) {
            assertThat(policy.decide(fetchResult, 1)).isEqualTo(new RetryDecision.GiveUp(Duration.ZERO));
        } else {
            boolean host = waits.equals("host");
            assertThat(policy.decide(fetchResult, 2))
                    .isEqualTo(new RetryDecision.RetryLater(Duration.ofSeconds(4), host));
            assertThat(policy.decide(fetchResult, 3))
                    .isEqualTo(new RetryDecision.GiveUp(host ? Duration.ofSeconds(8) : Duration.ZERO));
        }
    }

    @Test
    void aTimeOutAfterTheStatusLineDelaysOnlyItsRequest() {
        FetchResult broken = FetchResult.broken(new Outcome.Failure(FailureReason.TIMEOUT, "words"), Duration.ZERO,
                Instant.EPOCH);
        assertThat(policy.decide(broken, 1)).isEqualTo(new RetryDecision.RetryLater(Duration.ofSeconds(2), false));
        assertThat(policy.decide(broken, 3)).isEqualTo(new RetryDecision.GiveUp(Duration.ZERO));
    }

    static Stream<Outcome> answers() {
        return Stream.of(new Outcome.Success(200, false), new Outcome.Redirect(301, "/"),
                new Outcome.Refused(RefusalReason.ROBOTS, "no"), new Outcome.Duplicate());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerIsAnAnswer(Outcome outcome) {
        assertThat(policy.decide(fetched(outcome, Optional.of(Duration.ofHours(1))), 1))
                .isEqualTo(new RetryDecision.GiveUp(Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource({"429,0,2", "429,1,2", "429,30,30", "503,30,30", "503,60,60", "503,86400,60", "500,30,30"})
    void retryAfterHoldsUpToTheLongestPauseAndStopsTheHost(int status, long requestedDelays, long expected) {
        FetchResult fetchResult = fetched(new Outcome.HttpError(status),
                Optional.of(Duration.ofSeconds(requestedDelays)));
        assertThat(policy.decide(fetchResult, 1))
                .isEqualTo(new RetryDecision.RetryLater(Duration.ofSeconds(expected), true));
    }

    @Test
    void aRetryAfterOfManyYearsDoesNotOverflow() {
        FetchResult fetchResult = fetched(new Outcome.HttpError(503), Optional.of(Duration.ofDays(365_000_000)));
        assertThat(policy.decide(fetchResult, 1)).isEqualTo(new RetryDecision.RetryLater(Duration.ofMinutes(1), true));
    }

    @Property
    void aPauseIsWithinAQuarterOfItsBackOffAndNeverTooLong(@ForAll @IntRange(min = 1, max = 100) int attempts,
            @ForAll @DoubleRange(max = 1, maxIncluded = false) double chance) {
        Settings.DownloaderSettings patient = SettingsReader.from(Map.of("trawl.downloader.retries-failure", "100",
                "trawl.downloader.back-off", "2s", "trawl.downloader.longest-pause", "1m")).downloader();
        FetchResult fetchResult = fetched(new Outcome.Failure(FailureReason.CONNECT, "refused"), Optional.empty());
        Duration pause = ((RetryDecision.RetryLater) new RetryPolicy(patient, () -> chance).decide(fetchResult,
                attempts)).pause();
        double plain = 2e9 * Math.pow(2, attempts - 1.0);
        assertThat(pause).isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat((double) pause.toNanos()).isBetween(Math.min(plain * 0.75, 60e9) - 1,
                Math.min(plain * 1.25, 60e9) + 1);
    }
}
