package io.trawl.coordinator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.scope.LinkFacts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An explanation names the rule of the definition that spoke. */
class ScopeExplanationTest {
    private static final CrawlDefinition DEFINITION = Json.read("""
            {"seeds":["https://example.org/"],"priorities":[{"match":"/docs/**","priority":2},
              {"lastmod":"7d","sitemapPriority":0.8,"priority":0}],
             "scope":{"include":["/docs/**","/print/**"],"exclude":["/print/**"],
              "maxDepth":[{"match":"/docs/old/**","depth":1}],"maxPages":[{"match":"/docs/**","pages":9}]}}"""
            .getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);

    private static Explanation explain(String path) {
        return explain(path, Map.of("sitemap.priority", "0.5"));
    }

    private static Explanation explain(String path, Map<String, String> metadata) {
        ExplanationBuilder builder = Explanation.begin().verdict("ADMITTED");
        ScopeExplanation.scope(builder, DEFINITION, "https://example.org" + path);
        ScopeExplanation.priority(builder, DEFINITION, new LinkFacts("https://example.org" + path, 1, metadata,
                Optional.of(Instant.parse("2026-01-08T00:00:00Z"))), !metadata.isEmpty());
        return builder.build();
    }

    @Test
    void theRuleThatRefusesIsNamed() {
        Explanation refused = explain("/print/a");
        assertThat(refused.verdict()).isEqualTo("EXCLUDED");
        assertThat(refused.state()).isEqualTo(Explanation.State.REFUSED);
        assertThat(refused.story())
                .containsExactly("It is not in scope: the crawl excludes it (scope.exclude: /print/**) (EXCLUDED).");
    }

    @Test
    void theRulesThatLimitAreNamed() {
        Explanation admitted = explain("/docs/old/a");
        assertThat(admitted.verdict()).isEqualTo("ADMITTED");
        assertThat(admitted.story()).containsExactly(
                "It is fetched to depth 1 only (scope.maxDepth: /docs/old/** (1)).",
                "It counts in the budget of 9 URLs of its pattern (scope.maxPages: /docs/** (9)).",
                "At depth 1 its request has priority 2, unless a parser or a seed says another (priorities: /docs/** (2)).");
    }

    @Test
    void theRuleThatAsksForWhatASitemapSaysIsNamed() {
        assertThat(explain("/print/a", Map.of("sitemap.priority", "0.8", "sitemap.lastmod", "2026-01-01T00:00:00Z"))
                .story()).last().asString().endsWith("(priorities: from sitemapPriority 0.8 lastmod within 168h (0)).");
        assertThat(explain("/print/a", Map.of()).story()).last().asString()
                .startsWith("What a sitemap says about it is not known");
    }

    @Test
    void aSeedNeedsNoInclude() {
        Explanation seed = explain("/");
        assertThat(seed.verdict()).isEqualTo("ADMITTED");
        assertThat(seed.story()).singleElement().asString().startsWith("It is a seed").contains("scope.include");
    }
}
