package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenDefinitionTest {
    private static final CrawlVariables NONE = new CrawlVariables(Map.of());
    private static final CrawlId DOCS = new CrawlId("docs");
    private final DefinitionRules rules = new DefinitionRules(new Admission(2048), 3);

    @Test
    void unreadableAndInvalidFieldsAreNamedAllAtOnce() {
        List<Fault> faults = faults(
                """
                        {"limits":{"depth":"deep","maxTime":"soon","maxPages":0},"fetch":{"dealy":"1s","proxy":"p"},"extract":true,
                         "priority":9,"webhooks":{},"scope":{"domains":[null]},"schedule":{"crom":"0 3 * * *"},
                         "seeds":[{"url":"ftp://x/"},7,{"url":"mailto:y"},{"url":"https://a.org/","headers":"none"}]}""");
        assertThat(faults).extracting(Fault::field).containsExactly("limits.depth", "limits.maxTime", "fetch.dealy",
                "extract", "webhooks", "scope.domains[0]", "schedule.crom", "seeds[1]", "seeds[3].headers",
                "limits.maxPages", "fetch.proxy", "priority", "schedule.cron", "seeds[0].url", "seeds[2].url");
        assertThat(faults).allMatch(f -> !f.rule().isBlank());
        assertThat(faults.get(1)).isEqualTo(new Fault("limits.maxTime", "soon",
                "a number with a unit of ms, s, m, h or d, for example 500ms or 2s"));
        assertThat(faults.get(3)).isEqualTo(new Fault("extract", "true",
                "an object with the fields anchors, fragments, items, language, markdown, page, parsers, text"));
    }

    @Test
    void allFaultsOfAnElementAreNamedAndThoseOfItsRulesToo() {
        assertThat(
                faults("""
                        {"seeds":[{"url":"ftp://x/","depth":"deep","headers":{"A":1,"B":2,"C":"c"},"wait":5,"proxy":null}],
                         "scope":{"include":["/a",3,true]},"fetch":{"headers":{"A":1,"B":[]}},
                         "extract":{"items":[{"type":"a b","each":7,"fields":{"x":{"css":5,"list":"yes"},"y":{"css":"["},"z":9}}]},
                         "process":{"processors":[{"replace":{"field":5}},{"require":false,"unique":[1,2]}]},
                         "sinks":[{"type":1,"name":2}]}"""))
                .extracting(Fault::field).containsExactlyInAnyOrder("seeds[0].url", "seeds[0].depth",
                        "seeds[0].headers.A", "seeds[0].headers.B", "seeds[0].wait", "seeds[0].proxy",
                        "scope.include[1]", "scope.include[2]", "fetch.headers.A", "fetch.headers.B",
                        "extract.items[0].type", "extract.items[0].each", "extract.items[0].fields.x.css",
                        "extract.items[0].fields.x.list", "extract.items[0].fields.y.css", "extract.items[0].fields.z",
                        "process.processors[0].replace.field", "process.processors[1].require",
                        "process.processors[1].unique[0]", "process.processors[1].unique[1]", "sinks[0].type",
                        "sinks[0].name");
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(delimiter = '|', value = {
            "{\"fetch\":{\"dealy\":\"1s\"}}|fetch.dealy|one of the fields auth, contact, cookie, cookies, delay, fetcher, headers, ignoreRobots, login, profile, proxies, proxy, replay, responseTimeout, rules, totalTimeout, userAgent; did you mean fetch.delay?",
            "{\"fetch\":{\"maxpages\":7}}|fetch.maxpages|one of the fields auth, contact, cookie, cookies, delay, fetcher, headers, ignoreRobots, login, profile, proxies, proxy, replay, responseTimeout, rules, totalTimeout, userAgent; did you mean limits.maxPages?",
            "{\"\":{\"failFast\":false}}|\"\"|one of the fields discover, extract, fetch, identity, keep, keepFacts, limits, priorities, priority, process, refresh, schedule, scope, seeds, sinks, webhooks, weight",
            "{\"limits\":{\"colour\":7}}|limits.colour|one of the fields depth, host, maxBytes, maxPages, maxTime"})
    void aNameThatIsNoFieldIsRefusedWithTheNearestOne(String json, String field, String rule) {
        assertThat(faults(json)).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo(field);
            assertThat(fault.rule()).isEqualTo(rule);
        });
    }

    @Test
    void aTextAsFetchIsTheNameOfTheFetcherAndAPatchKeepsTheRest() {
        CrawlDefinition named = read("{\"fetch\":\"browser\"}").complete(DOCS, rules, Optional.empty());
        assertThat(named.fetch().fetcher()).contains("browser");
        CrawlDefinition slow = named.withFetch(FetchRules.DEFAULT.withDelay(Duration.ofSeconds(9)));
        assertThat(WrittenDefinition
                .patched(slow, DefinitionText.json("{\"fetch\":\"browser\"}".getBytes(StandardCharsets.UTF_8)), NONE)
                .definition().fetch()).isEqualTo(slow.fetch().withFetcher(Optional.of("browser")));
    }

    @Test
    void aTextIsASeed() {
        assertThat(read("{\"seeds\":[\"https://a.org/\",{\"url\":\"https://b.org/\"}]}")
                .complete(DOCS, rules, Optional.empty()).seeds()).extracting(seed -> seed.url().orElseThrow())
                .containsExactly("https://a.org/", "https://b.org/");
    }

    @ParameterizedTest(name = "{0}: {1} is not {3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{\"seeds\":\"https://a.org/\"}|seeds|https://a.org/|a list, such as [\"https://a.org/\"]",
            "{\"seeds\":[7]}|seeds[0]|7|a text, or an object with the fields body, cookie, crawl, depth, fetcher, headers, metadata, method, parser, priority, proxy, url, wait",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"priorty\":1}]}|seeds[0].priorty|1|one of the fields body, cookie, crawl, depth, fetcher, headers, metadata, method, parser, priority, proxy, url, wait; did you mean priority?",
            "{\"limits\":{\"depth\":\"2\"}}|limits.depth|2|a whole number of at most 2147483647, without quotes",
            "{\"limits\":{\"depth\":2.5}}|limits.depth|2.5|a whole number of at most 2147483647, without quotes",
            "{\"limits\":{\"depth\":3000000000}}|limits.depth|3000000000|a whole number of at most 2147483647, without quotes",
            "{\"limits\":{\"maxPages\":\"many\"}}|limits.maxPages|many|a whole number of at most 9223372036854775807, without quotes",
            "{\"limits\":3}|limits|3|an object with the fields depth, host, maxBytes, maxPages, maxTime",
            "{\"limits\":null}|limits|null|another value than null; leave the field out for its default",
            "{\"fetch\":{\"delay\":500}}|fetch.delay|500|a number with a unit of ms, s, m, h or d, for example 500ms or 2s",
            "{\"fetch\":{\"userAgent\":7}}|fetch.userAgent|7|a text in quotes",
            "{\"fetch\":{\"profile\":\"plane\"}}|fetch.profile|plane|one of plain, browser; did you mean plain?",
            "{\"extract\":{\"text\":\"yes\"}}|extract.text|yes|true or false, without quotes",
            "{\"scope\":{\"domains\":\"a.org\"}}|scope.domains|a.org|a list, such as [\"a.org\"]"})
    void aValueOfAnotherTypeIsNamedWithItsRule(String json, String field, String value, String rule) {
        assertThat(faults(json)).containsExactly(new Fault(field, value, rule));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"[1]|'[...]' is not valid: an object",
            "{nonsense|'nonsense' is not valid: JSON; it is none at line 1, column 2",
            "{\"limits\":|'{\"limits\":' is not valid: complete JSON: it ends in the middle of a value",
            "{} {}|'{...}' is not valid: nothing after the end of the JSON, which is at line 1, column 4",
            "{}x|'x' is not valid: JSON; it is none at line 1, column 3", "null|'null' is not valid: an object"})
    void aBodyThatIsNoObjectIsNamedWithThePlace(String json, String message) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecordException.class).hasMessage(message);
    }

    @Test
    void aFieldOutsideItsGroupIsRefusedWithItsPlace() {
        assertThat(faults("{\"depth\":2,\"limit\":{},\"cron\":\"0 3 * * *\"}")).extracting(Fault::rule)
                .satisfiesExactly(rule -> assertThat(rule).endsWith("; did you mean limits.depth?"),
                        rule -> assertThat(rule).endsWith("; did you mean limits?"),
                        rule -> assertThat(rule).endsWith("; did you mean schedule.cron?"));
    }

    @Test
    void aValidDefinitionIsReadUnchanged() {
        String json = "{\"seeds\":[{\"url\":\"https://a.org/\"}],\"fetch\":{\"delay\":\"2s\"},\"limits\":{\"maxBytes\":5},\"schedule\":{\"cron\":\"0 3 * * *\"}}";
        assertThat(read(json).complete(DOCS, rules, Optional.empty()))
                .isEqualTo(Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nonsense", "[]", "null", "7", ""})
    void aDefinitionThatIsNotAnObjectIsMalformed(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecordException.class);
    }

    private List<Fault> faults(String json) {
        return catchThrowableOfType(InvalidDefinitionException.class,
                () -> read(json).complete(DOCS, rules, Optional.empty())).faults();
    }

    private static WrittenDefinition read(String json) {
        return WrittenDefinition.read(DefinitionText.json(json.getBytes(StandardCharsets.UTF_8)), NONE);
    }
}
