package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.definition.FetchStyle;
import io.trawl.model.InvalidValueException.Fault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionRulesTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private final DefinitionRules rules = new DefinitionRules(new Admission(2048), 3);

    @ParameterizedTest(name = "{0} breaks the rule of {1}")
    @CsvSource(delimiter = '|', value = {"{\"limits\":{\"depth\":-2}}|limits.depth",
            "{\"limits\":{\"depth\":65536}}|limits.depth", "{\"limits\":{\"maxPages\":0}}|limits.maxPages",
            "{\"limits\":{\"maxBytes\":0}}|limits.maxBytes", "{\"limits\":{\"maxTime\":\"10ms\"}}|limits.maxTime",
            "{\"schedule\":{\"cron\":\"0 25 * * *\"}}|schedule.cron", "{\"schedule\":{}}|schedule.cron",
            "{\"schedule\":{\"cron\":\"0 0 3 * * ?\"}}|schedule.cron",
            "{\"schedule\":{\"cron\":\"0 3 * * *\",\"zone\":\"Europe/Nowhere\"}}|schedule.zone",
            "{\"fetch\":{\"delay\":\"61m\"}}|fetch.delay", "{\"fetch\":{\"fetcher\":\"My Browser\"}}|fetch.fetcher",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"fetcher\":\"\"}]}|seeds[0].fetcher",
            "{\"priority\":-1}|priority", "{\"priority\":3}|priority", "{\"weight\":0}|weight",
            "{\"weight\":101}|weight", "{\"fetch\":{\"userAgent\":\"\"}}|fetch.userAgent",
            "{\"fetch\":{\"userAgent\":\"a\\r\\nHost: b\"}}|fetch.userAgent",
            "{\"fetch\":{\"userAgent\":\"Träwl\"}}|fetch.userAgent",
            "{\"fetch\":{\"contact\":\"nobody\"}}|fetch.contact", "{\"fetch\":{\"contact\":\"a@b c\"}}|fetch.contact",
            "{\"fetch\":{\"contact\":\"ftp://example.org/\"}}|fetch.contact",
            "{\"fetch\":{\"contact\":\"https://example.org/a)b\"}}|fetch.contact",
            "{\"fetch\":{\"contact\":\"me@example.org\\r\\nX: y\"}}|fetch.contact",
            "{\"fetch\":{\"ignoreRobots\":[\"a.example.org\",\"*\"]}}|fetch.ignoreRobots[1]",
            "{\"fetch\":{\"replay\":\"../docs-1\"}}|fetch.replay", "{\"fetch\":{\"replay\":\"/docs-1\"}}|fetch.replay",
            "{\"fetch\":{\"ignoreRobots\":[\"https://a.example.org/\"]}}|fetch.ignoreRobots[0]",
            "{\"fetch\":{\"ignoreRobots\":[\"A.example.org\"]}}|fetch.ignoreRobots[0]",
            "{\"fetch\":{\"proxy\":\"https://proxy:3128\"}}|fetch.proxy",
            "{\"fetch\":{\"proxy\":\"http://proxy\"}}|fetch.proxy",
            "{\"fetch\":{\"headers\":{\"a b\":\"c\"}}}|fetch.headers",
            "{\"fetch\":{\"headers\":{\"X-Key\":\"(hidden)\"}}}|fetch.headers.X-Key",
            "{\"fetch\":{\"cookie\":\"a\\r\\nHost: b\"}}|fetch.cookie",
            "{\"fetch\":{\"responseTimeout\":\"99ms\"}}|fetch.responseTimeout",
            "{\"fetch\":{\"totalTimeout\":\"61m\"}}|fetch.totalTimeout",
            "{\"extract\":{\"parsers\":[\"html\",\" \"]}}|extract.parsers[1]",
            "{\"process\":{\"processors\":[\"a\",\"a\"]}}|process.processors[1]",
            "{\"scope\":{\"domains\":[\"https://example.org\"]}}|scope.domains[0]",
            "{\"scope\":{\"domains\":[\"example.org\",\"co.uk\"]}}|scope.domains[1]",
            "{\"fetch\":{\"auth\":[{\"host\":\"https://a.org/\",\"bearer\":\"${env:TRAWL_SECRET_A}\"}]}}|fetch.auth[0].host",
            "{\"fetch\":{\"auth\":[{\"host\":\"a.org\",\"user\":\"a:b\",\"password\":\"${env:TRAWL_SECRET_A}\"}]}}|fetch.auth[0].user",
            "{\"fetch\":{\"auth\":[{\"host\":\"a.org\",\"user\":\"a\",\"password\":\"${env:HOME}\"}]}}|fetch.auth[0].password",
            "{\"fetch\":{\"rules\":[{\"match\":\"/a\",\"headers\":{\"a b\":\"c\"}}]}}|fetch.rules[0].headers",
            "{\"discover\":{\"sitemapDepth\":2}}|discover.sitemapDepth",
            "{\"discover\":{\"from\":\"both\"},\"limits\":{\"depth\":0}}|discover.sitemapDepth",
            "{\"discover\":{\"sitemaps\":[\"https://a.org/s.xml\"]}}|discover.sitemaps",
            "{\"discover\":{\"from\":\"both\",\"sitemaps\":[\"https://a.org/s.xml\",\"/s.xml\"]}}|discover.sitemaps[1]",
            "{\"discover\":{\"from\":\"both\",\"sitemaps\":[\"https://u:hush@a.org/s.xml\"]}}|discover.sitemaps[0]",
            "{\"discover\":{\"regions\":[\"main\",\"a[\"]}}|discover.regions[1]",
            "{\"discover\":{\"regions\":[\"xpath://a[\"]}}|discover.regions[0]", "{\"seeds\":[{}]}|seeds[0].url",
            "{\"seeds\":[{\"url\":\"https://a.org/\"},{\"url\":\"mailto:x\"}]}|seeds[1].url",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"priority\":9}]}|seeds[0].priority",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"crawl\":\"other\"}]}|seeds[0].crawl",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"headers\":{\"a b\":\"c\"}}]}|seeds[0].headers",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"cookie\":\"a\\nb\"}]}|seeds[0].cookie",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"wait\":\"2h\"}]}|seeds[0].wait",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"proxy\":\"socks\"}]}|seeds[0].proxy",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"proxy\":\"http://proxy:70000\"}]}|seeds[0].proxy",
            "{\"fetch\":{\"proxy\":\"http://proxy:70000\"}}|fetch.proxy",
            "{\"webhooks\":[{\"url\":\"http://hooks.org:70000/\",\"secret\":\"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3\"}]}|webhooks[0].url",
            "{\"webhooks\":[{\"url\":\"http://hooks.org/(hidden)\",\"secret\":\"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3\"}]}|webhooks[0].url",
            "{\"fetch\":{\"proxy\":\"http://(hidden)@proxy:3128\"}}|fetch.proxy",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"cookie\":\"(hidden)\"}]}|seeds[0].cookie",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"headers\":{\"Authorization\":\"(hidden)\"}}]}|seeds[0].headers.Authorization",
            "{\"fetch\":{\"headers\":{\"authorization\":\"Bearer hush\"}}}|fetch.headers.authorization",
            "{\"fetch\":{\"headers\":{\"X-Key\":\"${env:HOME}\"}}}|fetch.headers.X-Key",
            "{\"fetch\":{\"cookie\":\"${env:TRAWL_VALUE_A}\"}}|fetch.cookie",
            "{\"fetch\":{\"cookie\":\"${env:TRAWL_SECRET_A\"}}|fetch.cookie",
            "{\"fetch\":{\"proxy\":\"${env:PROXY}\"}}|fetch.proxy",
            "{\"fetch\":{\"proxy\":\"http://u:hush@proxy:3128\"}}|fetch.proxy",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"headers\":{\"Proxy-Authorization\":\"hush\"}}]}|seeds[0].headers.Proxy-Authorization",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"proxy\":\"http://u:hush@proxy:3128\"}]}|seeds[0].proxy",
            "{\"seeds\":[{\"url\":\"https://u:hush@a.org/\"}]}|seeds[0].url",
            "{\"webhooks\":[{\"url\":\"${env:HOOK}\",\"secret\":\"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3\"}]}|webhooks[0].url",
            "{\"webhooks\":[{\"url\":\"https://hooks.org/\",\"secret\":\"${env:SECRET}\"}]}|webhooks[0].secret"})
    void aFaultNamesItsField(String json, String field) {
        assertThat(faults(json)).extracting(Fault::field).containsExactly(field);
    }

    @Test
    void noFaultShowsASecret() {
        assertThat(
                faults("""
                        {"fetch":{"headers":{"Authorization":"hush"},"proxy":"http://u:hush@p:1","auth":[{"host":"a.org","bearer":"hush"}]},
                         "seeds":[{"url":"https://u:hush@a.org/","headers":{"Authorization":"hush"},"proxy":"http://u:hush@p:1"}]}"""))
                .hasSize(6).noneMatch(fault -> fault.text().contains("hush"))
                .anyMatch(fault -> fault.rule().contains("${env:TRAWL_SECRET_NAME}"));
    }

    @Test
    void secretsMayReferToVariables() {
        String json = """
                {"fetch":{"headers":{"Authorization":"Bearer ${env:TRAWL_SECRET_A}"},"cookie":"s=${env:TRAWL_SECRET_B}",
                 "proxy":"${env:TRAWL_SECRET_P}"},"webhooks":[{"url":"https://hooks.org/${env:TRAWL_SECRET_H}",
                 "secret":"${env:TRAWL_SECRET_S}"}]}""";
        assertThatCode(() -> rules.check(DOCS, definition(json))).doesNotThrowAnyException();
        assertThat(Json.text(definition(json).hidden()))
                .contains("Bearer ${env:TRAWL_SECRET_A}", "${env:TRAWL_SECRET_P}", "${env:TRAWL_SECRET_S}")
                .doesNotContain("s=", "TRAWL_SECRET_H");
    }

    @ParameterizedTest
    @ValueSource(strings = {"me@example.org", "https://example.org/bot?a=b", "http://intranet/"})
    void aContactIsAnAddressOrAUrl(String contact) {
        String json = "{\"fetch\":{\"contact\":\"" + contact
                + "\",\"ignoreRobots\":[\"intranet\",\"10.0.0.1\",\"[::1]\"]}}";
        assertThatCode(() -> rules.check(DOCS, definition(json))).doesNotThrowAnyException();
    }

    @Test
    void allFaultsAreNamedAtOnce() {
        assertThat(faults("""
                {"limits":{"depth":-9,"maxBytes":-1},"schedule":{"cron":"soon","zone":"here"},"fetch":{"delay":"5h"},
                 "seeds":[{},{"url":"x","cookie":"ä","wait":"2h"}],"scope":{"domains":["a b"]}}"""))
                .extracting(Fault::field).containsExactly("limits.depth", "limits.maxBytes", "fetch.delay",
                        "scope.domains[0]", "schedule.cron", "schedule.zone", "seeds[0].url", "seeds[1].cookie",
                        "seeds[1].wait", "seeds[1].url");
    }

    @ParameterizedTest(name = "{0} accepts {1}")
    @CsvSource(delimiter = '|', value = {
            "{\"seeds\":[{\"url\":\"https://docs.example.co.uk/a\"},{\"url\":\"http://[::1]:80/\"}]}|[::1] example.co.uk",
            "{\"seeds\":[{\"url\":\"https://a.org/\"}],\"scope\":{\"domains\":[\"B.org\"]}}|b.org",
            "{\"limits\":{\"depth\":-1,\"maxPages\":1},\"fetch\":{\"delay\":\"0ms\"},\"priority\":2}|''"})
    void theDomainsAreThoseNamedOrElseThoseOfTheSeeds(String json, String domains) {
        assertThat(String.join(" ", rules.check(DOCS, definition(json)))).isEqualTo(domains);
    }

    @Test
    void aDefinitionThatNoRecordCanHoldIsRefused() {
        String url = "{\"url\":\"https://example.org/" + "x".repeat(1000) + "\"}";
        String seeds = String.join(",", java.util.Collections.nCopies(1000, url));
        assertThat(faults("{\"seeds\":[" + seeds + "]}")).extracting(Fault::field).containsExactly("seeds");
    }

    @Test
    void aProfileThatDoesNotExistIsOneClearError() {
        assertThatThrownBy(() -> definition("{\"fetch\":{\"profile\":\"robot\"}}"))
                .hasMessage("fetch.profile: 'robot' is not valid: one of plain, browser");
        assertThat(definition("{}").fetch().profile()).isEqualTo(FetchStyle.PLAIN);
        assertThat(definition("{\"fetch\":{\"profile\":\"browser\",\"proxy\":\"http://proxy:3128\"}}")).satisfies(d -> {
            assertThat(d.fetch().profile()).isEqualTo(FetchStyle.BROWSER);
            assertThat(d.fetch().proxy()).contains("http://proxy:3128");
            assertThat(definition(Json.text(d))).isEqualTo(d);
        });
    }

    private List<Fault> faults(String json) {
        return catchThrowableOfType(InvalidDefinitionException.class, () -> rules.check(DOCS, definition(json)))
                .faults();
    }

    private static CrawlDefinition definition(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }
}
