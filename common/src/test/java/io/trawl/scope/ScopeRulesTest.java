package io.trawl.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.RefusalReason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeRulesTest {
    private static final String SITE = "https://docs.example.org";

    private static CrawlDefinition definition(String scope) {
        return Json.read(("{\"scope\":" + scope + "}").getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    private static String verdict(String scope, String path, int depth) {
        return definition(scope).scopeRules().refusal(SITE + path, depth).map(no -> no.reason() + " " + no.rule())
                .orElse("ADMITTED");
    }

    @ParameterizedTest(name = "{0}: {1} at depth {2} is {3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"{}|/a|3|ADMITTED",
            "{\"include\":[\"/a/**\",\"re:[?]x\"]}|/a/b|1|ADMITTED",
            "{\"include\":[\"/a/**\",\"re:[?]x\"]}|/b?x|1|ADMITTED",
            "{\"include\":[\"/a/**\",\"re:[?]x\"]}|/b|1|NOT_INCLUDED scope.include",
            "{\"include\":[\"/a/**\"],\"exclude\":[\"**/c\"]}|/a/c|1|EXCLUDED scope.exclude: **/c",
            "{\"exclude\":[\"/b\",\"/a/**\",\"/a/c\"]}|/a/c|1|EXCLUDED scope.exclude: /a/**",
            "{\"maxDepth\":[{\"match\":\"/a/b/**\",\"depth\":3},{\"match\":\"/a/**\",\"depth\":1}]}|/a/b/c|3|ADMITTED",
            "{\"maxDepth\":[{\"match\":\"/a/b/**\",\"depth\":3},{\"match\":\"/a/**\",\"depth\":1}]}|/a/c|1|ADMITTED",
            "{\"maxDepth\":[{\"match\":\"/a/b/**\",\"depth\":3},{\"match\":\"/a/**\",\"depth\":1}]}|/a/c|2|PATTERN_DEPTH scope.maxDepth: /a/** (1)",
            "{}|/a/photo.JPG?size=1|1|ENDING scope.skipEndings: jpg", "{}|/a.jpg/b|1|ADMITTED",
            "{}|/a?file=b.jpg|1|ADMITTED", "{}|/a.pdf|1|ADMITTED", "{}|/a.|1|ADMITTED",
            "{\"skipEndings\":[]}|/a.jpg|1|ADMITTED", "{\"skipEndings\":[\"PDF\"]}|/a.jpg|1|ADMITTED",
            "{\"skipEndings\":[\"PDF\"]}|/a.pdf|1|ENDING scope.skipEndings: pdf",
            "{\"mediaTypes\":{\"include\":[\"text/html\",\"image/*\"]}}|/a.jpg|1|ADMITTED",
            "{\"mediaTypes\":{\"include\":[\"text/html\",\"image/*\"]}}|/a.zip|1|ENDING scope.skipEndings: zip"})
    void theFirstRuleThatSpeaksDecides(String scope, String path, int depth, String verdict) {
        assertThat(verdict(scope, path, depth)).isEqualTo(verdict);
    }

    @Test
    void aSeedIsRefusedByAnExcludedPatternOnly() {
        ScopeRules rules = definition(
                "{\"include\":[\"/a/**\"],\"exclude\":[\"/b/**\"],\"maxDepth\":[{\"match\":\"/**\",\"depth\":0}]}")
                .scopeRules();
        assertThat(rules.refusalOfSeed(SITE + "/c.zip")).isEmpty();
        assertThat(rules.refusalOfSeed(SITE + "/b/c")).map(ScopeRefusal::reason).contains(RefusalReason.EXCLUDED);
    }

    @Test
    void aRequisiteIsRefusedByAnExcludedPatternAndByItsHostOnly() {
        ScopeRules rules = definition("""
                {"include":["/a/**"],"exclude":["/b/**"],"requisites":{"hosts":["*.example.net","/fonts/**"]}}""")
                .scopeRules();
        assertThat(rules.refusalOfRequisite("https://cdn.example.net/x.png")).isEmpty();
        assertThat(rules.refusalOfRequisite("https://any.example.org/fonts/x.woff2")).isEmpty();
        assertThat(rules.refusalOfRequisite("https://cdn.example.net/b/x.png")).map(ScopeRefusal::rule)
                .contains("scope.exclude: /b/**");
        assertThat(rules.refusalOfRequisite("https://cdn.example.org/x.png")).map(ScopeRefusal::rule)
                .contains("scope.requisites.hosts");
        assertThat(definition("{}").scopeRules().refusalOfRequisite("https://cdn.example.org/x.png")).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1} is refused by {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", value = {"{}|image/png|-",
            "{\"include\":[\"text/*\"]}|Text/HTML; charset=utf-8|-", "{\"include\":[\"text/*\"]}|``|-",
            "{\"include\":[\"text/*\"]}|application/pdf|scope.mediaTypes.include",
            "{\"include\":[\"text/*\"],\"exclude\":[\"text/calendar\"]}|text/calendar|scope.mediaTypes.exclude: text/calendar"})
    void aMediaTypeIsJudgedByItsHeader(String rules, String header, String rule) {
        MediaTypeRules types = Json.read(rules.getBytes(StandardCharsets.UTF_8), MediaTypeRules.class);
        assertThat(types.refusal(header).map(ScopeRefusal::rule).orElse(null)).isEqualTo(rule);
    }

    @Test
    void aDefinitionIsReadAsItIsWritten() {
        CrawlDefinition definition = Json.read("""
                {"scope":{"include":["/a"],"exclude":["re:b"],"maxDepth":[{"match":"/c","depth":1}],
                 "maxPages":[{"match":"/d","pages":2}],"mediaTypes":{"include":["text/*"]},"skipEndings":[]},
                 "priorities":[{"match":"/e","depth":2,"priority":0}]}""".getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
        CrawlDefinition again = Json.read(Json.bytes(definition), CrawlDefinition.class);
        assertThat(again).isEqualTo(definition);
        assertThat(again.scope().skipEndings()).as("not the default")
                .hasValueSatisfying(none -> assertThat(none).isEmpty());
        assertThat(Json.text(CrawlDefinition.of(java.util.List.of()))).doesNotContain("skipEndings", "mediaTypes",
                "include");
    }

    @Test
    void theFirstPriorityRuleWhoseConditionsHoldCounts() {
        var rules = Json.read("""
                {"priorities":[{"match":"/news/**","depth":2,"priority":1},{"match":"/news/**","priority":2},
                 {"depth":3,"priority":0}]}""".getBytes(StandardCharsets.UTF_8), CrawlDefinition.class).priorities();
        assertThat(level(rules, "/news/a", 2, Map.of())).contains(1);
        assertThat(level(rules, "/news/a", 1, Map.of())).contains(2);
        assertThat(level(rules, "/a", 3, Map.of())).contains(0);
        assertThat(level(rules, "/a", 2, Map.of())).isEmpty();
    }

    private static Optional<Integer> level(List<PriorityRule> rules, String path, int depth,
            Map<String, String> metadata) {
        return PriorityRule
                .first(rules,
                        new LinkFacts(SITE + path, depth, metadata, Optional.of(Instant.parse("2026-01-08T00:00:00Z"))))
                .map(PriorityRule::priority);
    }

    @Test
    void aPriorityRuleMayAskWhatASitemapSays() {
        var rules = Json.read("""
                {"priorities":[{"sitemapPriority":0.8,"priority":3},{"lastmod":"7d","match":"/news/**","priority":2},
                 {"sitemapPriority":0.0,"priority":0}]}""".getBytes(StandardCharsets.UTF_8), CrawlDefinition.class)
                .priorities();
        assertThat(level(rules, "/a", 1, Map.of("sitemap.priority", "0.8"))).contains(3);
        assertThat(level(rules, "/a", 1, Map.of("sitemap.priority", "0.79"))).contains(0);
        assertThat(level(rules, "/news/a", 1, Map.of("sitemap.lastmod", "2026-01-01T00:00:00Z"))).contains(2);
        assertThat(level(rules, "/news/a", 1, Map.of("sitemap.lastmod", "2025-12-31T23:59:59Z"))).isEmpty();
        assertThat(level(rules, "/a", 1, Map.of("sitemap.lastmod", "2026-01-08T00:00:00Z"))).isEmpty();
        assertThat(level(rules, "/news/a", 1, Map.of("sitemap.lastmod", "soon", "sitemap.priority", "high"))).isEmpty();
    }

    @Test
    void theRuleOfALongPatternIsCut() {
        String scope = "{\"exclude\":[\"/" + "a".repeat(1990) + "\"]}";
        assertThat(definition(scope).scopeRules().refusal(SITE + "/" + "a".repeat(1990), 1).orElseThrow().rule())
                .hasSizeLessThan(210);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"{\"include\":[\"re:(\"]}",
            "{\"maxDepth\":[{\"match\":\"/a\"}]}", "{\"maxPages\":[{\"pages\":1}]}"})
    void aRuleThatCannotBeReadIsRefused(String scope) {
        assertThatThrownBy(() -> definition(scope)).isInstanceOf(MalformedRecordException.class);
    }
}
