package io.trawl.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.InvalidValueException;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void aCostThatHasGrownByMoreThanIsAllowedIsNamed() throws JsonProcessingException {
        Comparison comparison = Comparison.of(results(1, 2.0), results(1, 2.3));
        assertThat(comparison.grown(10))
                .containsExactly("one, median: CPU s per 1000 pages has grown by 15.0 %, from 2.00 to 2.30");
        assertThat(comparison.grown(20)).isEmpty();
        assertThat(comparison.table()).contains("| one, median | CPU s per 1000 pages | 2.00 | 2.30 | +15.0 % |")
                .noneMatch(line -> line.contains("one, 1"));
    }

    @Test
    void runsWithOtherSettingsAreNotCompared() {
        assertThatThrownBy(() -> Comparison.of(results(1, 2.0), results(2, 2.0)))
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("settings");
    }

    private static JsonNode results(int pages, double cost) throws JsonProcessingException {
        return Json.mapper().readTree("""
                {"benchmark": "crawl", "settings": {"pages": %d}, "rows": [
                  {"kind": "one", "run": "1", "CPU s per 1000 pages": 9.0},
                  {"kind": "one", "run": "median", "CPU s per 1000 pages": %f}]}""".formatted(pages, cost));
    }
}
