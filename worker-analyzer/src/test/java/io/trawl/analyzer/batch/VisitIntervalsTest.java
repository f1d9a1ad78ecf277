package io.trawl.analyzer.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.analyzer.Fixtures;
import io.trawl.codec.Json;
import io.trawl.control.RefreshRules;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VisitIntervalsTest {
    private static final String NEWS = "https://example.org/news/1";
    private static final Outcome FOUND = new Outcome.Success(200, false);

    private static VisitIntervals rules(String json) throws Exception {
        return new VisitIntervals(Json.read(json.getBytes(StandardCharsets.UTF_8), RefreshRules.class));
    }

    private static Response response(String url, Outcome outcome, String... headers) {
        Map<String, String> sent = headers.length == 0 ? Map.of() : Map.of(headers[0], headers[1]);
        return Fixtures.response(Fixtures.request(url, 0), outcome, sent, new byte[0]);
    }

    private static Visit found(Optional<Visit> before, String digest) {
        return before.map(VisitBuilder::builder).orElseGet(VisitBuilder::builder)
                .number(before.map(Visit::number).orElse(0) + 1).state(PageState.STORED).digest(Optional.of(digest))
                .build();
    }

    private static List<Duration> chain(VisitIntervals rules, String url, String... digests) {
        List<Duration> intervals = new ArrayList<>();
        Optional<Visit> before = Optional.empty();
        for (String digest : digests) {
            Visit visit = rules.paced(response(url, FOUND), before, found(before, digest));
            intervals.add(Duration.ofSeconds(visit.interval()));
            before = Optional.of(visit);
        }
        return intervals;
    }

    private static Duration first(VisitIntervals rules, String url, String... headers) {
        return Duration.ofSeconds(
                rules.paced(response(url, FOUND, headers), Optional.empty(), found(Optional.empty(), "a")).interval());
    }

    @Test
    void aPageThatChangesIsVisitedMoreOftenAndOneThatStaysLessOften() throws Exception {
        VisitIntervals rules = rules("{\"least\":\"6h\",\"most\":\"4d\"}");
        assertThat(chain(rules, NEWS, "a", "b", "c", "d")).containsExactly(Duration.ofDays(1), Duration.ofHours(12),
                Duration.ofHours(6), Duration.ofHours(6));
        assertThat(chain(rules, NEWS, "a", "a", "a", "a", "a", "a", "a", "b")).containsExactly(Duration.ofDays(1),
                Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(2), Duration.ofDays(4), Duration.ofDays(4),
                Duration.ofDays(4), Duration.ofDays(2));
    }

    @Test
    void theRuleOfItsUrlSaysHowOftenItMayAndMustBeVisited() throws Exception {
        VisitIntervals rules = rules("{\"least\":\"2h\",\"pages\":[{\"match\":\"/news/**\",\"most\":\"1h\"},"
                + "{\"match\":\"/archive/**\",\"least\":\"30d\"}]}");
        assertThat(first(rules, NEWS)).isEqualTo(Duration.ofHours(1));
        assertThat(first(rules, "https://example.org/archive/1")).isEqualTo(Duration.ofDays(30));
        assertThat(first(rules, "https://example.org/")).isEqualTo(Duration.ofDays(1));
        assertThatThrownBy(() -> rules("{\"least\":\"2h\",\"most\":\"1h\"}"))
                .hasMessageContaining("least: '2h' is not valid");
    }

    @Test
    void theFirstTimeIsAGuessByTheHeaders() throws Exception {
        VisitIntervals rules = rules("{\"least\":\"10m\"}");
        assertThat(first(rules, NEWS, "cache-control", "public, max-age=7200")).isEqualTo(Duration.ofHours(2));
        assertThat(first(rules, NEWS, "cache-control", "max-age=0")).isEqualTo(Duration.ofDays(1));
        assertThat(first(rules, NEWS, "cache-control", "max-age=999999999")).isEqualTo(Duration.ofDays(90));
        assertThat(first(rules, NEWS, "last-modified", "Wed, 21 Oct 2015 07:28:00 GMT")).as("years old")
                .isEqualTo(Duration.ofDays(90));
        assertThat(first(rules, NEWS, "last-modified", "long ago")).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void aFailureSaysNothingAndAMissingPageIsLookedForSoon() throws Exception {
        VisitIntervals rules = rules("{\"least\":\"6h\"}");
        Visit known = rules.paced(response(NEWS, FOUND), Optional.empty(), found(Optional.empty(), "a"));
        Visit after = rules.paced(response(NEWS, new Outcome.Failure(FailureReason.DNS, "")), Optional.of(known),
                known.withNumber(2));
        assertThat(after.interval()).isEqualTo(known.interval());
        Visit missing = rules.paced(response(NEWS, new Outcome.HttpError(404)), Optional.of(after),
                after.with(copy -> copy.number(3).state(PageState.MISSING)));
        assertThat(Duration.ofSeconds(missing.interval())).isEqualTo(Duration.ofHours(6));
        assertThat(rules("{}").paced(response(NEWS, FOUND), Optional.of(missing), missing)).as("without intervals")
                .extracting(Visit::interval, Visit::due).containsExactly(0, 0L);
    }

    @Test
    void pagesThatWereFoundTogetherDoNotStayTogetherAndNoneIsLate() throws Exception {
        VisitIntervals rules = rules("{\"most\":\"1d\"}");
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Response response = response("https://example.org/" + i, FOUND);
            waits.add(rules.paced(response, Optional.empty(), found(Optional.empty(), "a")).due()
                    - response.fetchedAt().getEpochSecond());
        }
        assertThat(waits).allMatch(wait -> wait >= 86_400 * 0.9 && wait <= 86_400);
        assertThat(waits.stream().distinct().count()).isGreaterThan(300);
    }
}
