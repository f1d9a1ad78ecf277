package io.trawl.analyzer.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.codec.Json;
import io.trawl.definition.RefreshRules;
import io.trawl.model.ChangeRate;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RateEstimateTest {
    private static final String URL = "https://example.org/";
    private static final Outcome FOUND = new Outcome.Success(200, false);
    private final RateEstimate rates = rates("{\"least\":\"1h\"}");

    private static RateEstimate rates(String json) {
        return new RateEstimate(Json.read(json.getBytes(StandardCharsets.UTF_8), RefreshRules.class));
    }

    private static Response response(Outcome outcome, String... headers) {
        Map<String, String> sent = headers.length == 0 ? Map.of() : Map.of(headers[0], headers[1]);
        return Fixtures.response(Fixtures.request(URL, 0), outcome, sent, new byte[0]);
    }

    private static Visit entry(String digest) {
        return VisitBuilder.builder().number(1).state(PageState.STORED).digest(Optional.of(digest)).build();
    }

    private Duration first(String... headers) {
        Visit visit = rates.told(response(FOUND, headers), Optional.empty(), entry("a"));
        return Duration.ofSeconds(visit.rate().map(ChangeRate::every).orElse(0));
    }

    @Test
    void theFirstRateIsAGuessByTheHeaders() {
        assertThat(first()).as("a visit after a day").isEqualTo(Duration.ofSeconds(288_000));
        assertThat(first("cache-control", "public, max-age=7200")).as("a visit after two hours")
                .isEqualTo(Duration.ofSeconds(24_000));
        assertThat(first("cache-control", "max-age=0")).isEqualTo(first());
        assertThat(first("last-modified", "Wed, 21 Oct 2015 07:28:00 GMT")).as("its age, up to ten years")
                .isEqualTo(Duration.ofDays(3650));
        assertThat(first("last-modified", "long ago")).isEqualTo(first());
    }

    @Test
    void whatAVisitFindsMovesTheRateAndAFailureDoesNot() {
        Visit known = rates.told(response(FOUND), Optional.empty(), entry("a"))
                .with(visit -> visit.visited(visit.visited() - 86_400));
        int every = known.rate().orElseThrow().every();
        Visit same = rates.told(response(new Outcome.Unchanged()), Optional.of(known), known.withNumber(2));
        assertThat(same.rate().orElseThrow().every()).isGreaterThan(every);
        assertThat(same.visited()).isEqualTo(response(FOUND).fetchedAt().getEpochSecond());
        Visit changed = rates.told(response(FOUND), Optional.of(known), entry("b"));
        assertThat(changed.rate().orElseThrow().every()).isLessThan(every);
        Visit gone = rates.told(response(new Outcome.HttpError(404)), Optional.of(known),
                known.withState(PageState.MISSING));
        assertThat(gone.rate()).isEqualTo(changed.rate());
        for (Outcome nothing : new Outcome[]{new Outcome.Failure(FailureReason.DNS, ""), new Outcome.HttpError(503)}) {
            Visit after = rates.told(response(nothing), Optional.of(known), known.withNumber(2));
            assertThat(after.rate()).isEqualTo(known.rate());
            assertThat(after.visited()).as("it waits for its time, too").isEqualTo(same.visited());
        }
        assertThat(rates("{}").told(response(FOUND), Optional.of(known), entry("a")))
                .as("without intervals an entry is as short as it was").isEqualTo(entry("a"));
    }
}
