package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnknownNamesTest {
    private static final CrawlDefinition NAMED = Json
            .read("""
                    {"seeds":[],"fetch":{"fetcher":"render"},"extract":{"parsers":["html","prices"]},"process":{"processors":["dedup"]}}"""
                    .getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);

    private static Registration module(String mid, Optional<List<String>> names) {
        return new Registration(MID.parse(mid + "|a:1"), 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, Map.of(),
                Phase.RUNNING, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), names, Optional.empty(),
                List.of(), Map.of());
    }

    @Test
    void aNameThatARunningProcessDoesNotHaveIsANote() {
        assertThat(UnknownNames.of(NAMED,
                List.of(module("D2", Optional.of(List.of("http"))),
                        module("D1", Optional.of(List.of("http", "browser"))),
                        module("D3", Optional.of(List.of("http", "render"))),
                        module("A1", Optional.of(List.of("html", "text"))), module("P1", Optional.of(List.of())))))
                .containsExactly("D1 has no fetcher 'render', only http, browser: its requests fail",
                        "D2 has no fetcher 'render', only http: its requests fail",
                        "A1 has no parser 'prices', only html, text: each of its pages has an error",
                        "P1 has no item processor 'dedup': its items fail as if in a processor");
    }

    @Test
    void nothingIsSaidOfProcessesThatReportNoNamesOrOfNone() {
        assertThat(UnknownNames.of(NAMED, List.of())).isEmpty();
        assertThat(UnknownNames.of(NAMED, List.of(module("D1", Optional.empty()), module("C1", Optional.empty()))))
                .isEmpty();
        assertThat(UnknownNames.of(CrawlDefinition.of(List.of()), List.of(module("D1", Optional.of(List.of("http"))))))
                .isEmpty();
    }
}
