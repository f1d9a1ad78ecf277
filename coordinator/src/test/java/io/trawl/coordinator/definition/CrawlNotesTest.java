package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.ProductToken;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a crawl's owner is told, and what its user agent says. */
class CrawlNotesTest {
    private static final FetchRules NOTHING = FetchRules.DEFAULT;

    @Test
    void aCrawlBeyondLoopbackWithoutAContactIsNoted() {
        assertThat(CrawlNotes.of(NOTHING, List.of("localhost", "example.org"))).singleElement().asString()
                .contains("fetch.contact");
        assertThat(CrawlNotes.of(NOTHING.withContact(Optional.of("me@example.org")), List.of("example.org"))).isEmpty();
        assertThat(CrawlNotes.of(NOTHING.withUserAgent("Bot/1 (+https://example.org/)"), List.of("example.org")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "[::1]"})
    void loopbackNeedsNoContact(String host) {
        assertThat(CrawlNotes.of(NOTHING, List.of(host))).isEmpty();
    }

    @Test
    void hostsWhoseRobotsTxtIsIgnoredAreNoted() {
        assertThat(CrawlNotes.of(NOTHING.withIgnoreRobots(List.of("localhost", "a")), List.of("localhost")))
                .singleElement().asString().startsWith("robots.txt is not read on localhost, a");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            jsonl | none
            jsonl postgresql | keep is about files of items and errors: postgresql keeps what every run gave
            warc csv kafka | keep is about files of items and errors: warc, kafka keep what every run gave
            jsonl upsert | none
            """)
    void sinksThatAppendAreNamedAsKeepingEveryRun(String types, @Nullable String note) {
        List<SinkDefinition> sinks = Stream.of(types.split(" ")).map(
                type -> type.equals("upsert") ? sink("postgresql", Map.of("write", "upsert")) : sink(type, Map.of()))
                .toList();
        assertThat(CrawlNotes.ofRuns(CrawlDefinition.of(List.of()).withSinks(sinks)))
                .isEqualTo(Optional.ofNullable(note).stream().toList());
    }

    private static SinkDefinition sink(String type, Map<String, Object> settings) {
        return new SinkDefinition(type, Optional.empty(), Optional.empty(), List.of(), List.of(), settings,
                Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Trawl/0.1", "Bot", "Mozilla/5.0 (X11)", "Some Bot/1 (x)"})
    void aContactIsBehindTheUserAgentAndChangesNoProductToken(String userAgent) {
        FetchRules rules = NOTHING.with(fetch -> fetch.userAgent(userAgent).contact(Optional.of("me@example.org")));
        assertThat(rules.sentUserAgent()).isEqualTo(userAgent + " (+me@example.org)");
        assertThat(ProductToken.of(rules.sentUserAgent())).isEqualTo(ProductToken.of(userAgent));
    }
}
