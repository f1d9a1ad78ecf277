package io.trawl.downloader.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.Fetched;
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
    private static final Settings.Downloader SETTINGS = SettingsReader
            .from(Map.of("trawl.downloader.retries-failure", "2", "trawl.downloader.retries-status", "3",
                    "trawl.downloader.back-off", "2s", "trawl.downloader.longest-pause", "1m"))
            .downloader();
    /** The middle of the jitter: the pause is the plain back-off. */
    private final RetryPolicy policy = new RetryPolicy(SETTINGS, () -> 0.5);

    private static Fetched fetched(Outcome outcome, Optional<Duration> retryAfter) {
        return new Fetched(outcome, Map.of(), Body.EMPTY, Duration.ZERO, retryAfter, Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource({"400,nobody", "401,nobody", "403,nobody", "404,nobody", "408,request", "410,nobody", "429,host", "451,nobody",
            "500,request", "501,nobody", "502,host",
            "503,host", "504,host", "505,nobody", "507,request", "511,nobody", "520,host", "522,host", "599,host", "600,nobody",
            "304,nobody", "301,nobody"})
    void aStatusIsTriedAgainByTheTable(int status, String waits) {
        Fetched fetched = fetched(new Outcome.HttpError(status), Optional.empty());
        switch (waits) {
            case "nobody" -> assertThat(policy.decide(fetched, 1)).isEqualTo(new Decision.Answer(Duration.ZERO));
            case "request" -> {
                assertThat(policy.decide(fetched, 3)).isEqualTo(new Decision.RetryAfter(Duration.ofSeconds(8), false));
                assertThat(policy.decide(fetched, 4)).isEqualTo(new Decision.Answer(Duration.ZERO));
            }
            default -> {
                assertThat(policy.decide(fetched, 1)).isEqualTo(new Decision.RetryAfter(Duration.ofSeconds(2), true));
                assertThat(policy.decide(fetched, 3)).isEqualTo(new Decision.RetryAfter(Duration.ofSeconds(8), true));
                assertThat(policy.decide(fetched, 4)).isEqualTo(new Decision.Answer(Duration.ofSeconds(16)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DNS,host", "CONNECT,host", "TIMEOUT,host", "PROTOCOL,request", "PROXY,request", "TLS,nobody", "TOO_LARGE,nobody",
            "REDIRECTS,nobody", "PARSE,nobody", "OTHER,nobody"})
    void aFailureIsTriedAgainByTheTable(FailureReason reason, String waits) {
        Fetched fetched = fetched(new Outcome.Failure(reason, "words"), Optional.empty());
        if (waits.equals("nobody")) {
            assertThat(policy.decide(fetched, 1)).isEqualTo(new Decision.Answer(Duration.ZERO));
        } else {
            boolean host = waits.equals("host");
            assertThat(policy.decide(fetched, 2)).isEqualTo(new Decision.RetryAfter(Duration.ofSeconds(4), host));
            assertThat(policy.decide(fetched, 3)).isEqualTo(new Decision.Answer(host ? Duration.ofSeconds(8) : Duration.ZERO));
        }
    }

    static Stream<Outcome> answers() {
        return Stream.of(new Outcome.Page(200, false), new Outcome.Redirect(301, "/"),
                new Outcome.Refused(RefusalReason.ROBOTS, "no"), new Outcome.Duplicate());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerIsAnAnswer(Outcome outcome) {
        assertThat(policy.decide(fetched(outcome, Optional.of(Duration.ofHours(1))), 1))
                .isEqualTo(new Decision.Answer(Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource({"429,0,2", "429,1,2", "429,30,30", "503,30,30", "503,60,60", "503,86400,60", "500,30,30"})
    void theServersWishHoldsUpToTheLongestPauseAndStopsTheHost(int status, long wish, long expected) {
        Fetched fetched = fetched(new Outcome.HttpError(status), Optional.of(Duration.ofSeconds(wish)));
        assertThat(policy.decide(fetched, 1)).isEqualTo(new Decision.RetryAfter(Duration.ofSeconds(expected), true));
    }

    @Test
    void aWishOfManyYearsDoesNotOverflow() {
        Fetched fetched = fetched(new Outcome.HttpError(503), Optional.of(Duration.ofDays(365_000_000)));
        assertThat(policy.decide(fetched, 1)).isEqualTo(new Decision.RetryAfter(Duration.ofMinutes(1), true));
    }

    @Property
    void aPauseIsWithinAQuarterOfItsBackOffAndNeverTooLong(@ForAll @IntRange(min = 1, max = 100) int attempts,
            @ForAll @DoubleRange(max = 1, maxIncluded = false) double chance) {
        Settings.Downloader patient = SettingsReader
                .from(Map.of("trawl.downloader.retries-failure", "100", "trawl.downloader.back-off", "2s",
                        "trawl.downloader.longest-pause", "1m"))
                .downloader();
        Fetched fetched = fetched(new Outcome.Failure(FailureReason.CONNECT, "refused"), Optional.empty());
        Duration pause = ((Decision.RetryAfter) new RetryPolicy(patient, () -> chance).decide(fetched, attempts)).pause();
        double plain = 2e9 * Math.pow(2, attempts - 1.0);
        assertThat(pause).isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat((double) pause.toNanos()).isBetween(Math.min(plain * 0.75, 60e9) - 1, Math.min(plain * 1.25, 60e9) + 1);
    }
}
