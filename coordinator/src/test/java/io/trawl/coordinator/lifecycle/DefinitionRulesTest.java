package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.FetchStyle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionRulesTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private final DefinitionRules rules = new DefinitionRules(new Admission(2048), 3);

    @ParameterizedTest(name = "{0} breaks the rule of {1}")
    @CsvSource(delimiter = '|', value = {
            "{\"depth\":-2}|depth",
            "{\"depth\":65536}|depth",
            "{\"maxPages\":0}|maxPages",
            "{\"maxBytes\":0}|maxBytes",
            "{\"maxTime\":\"10ms\"}|maxTime",
            "{\"schedule\":{\"cron\":\"0 25 * * *\"}}|schedule.cron",
            "{\"schedule\":{}}|schedule.cron",
            "{\"schedule\":{\"cron\":\"0 0 3 * * ?\"}}|schedule.cron",
            "{\"schedule\":{\"cron\":\"0 3 * * *\",\"zone\":\"Europe/Nowhere\"}}|schedule.zone",
            "{\"delay\":\"61m\"}|delay",
            "{\"priority\":-1}|priority",
            "{\"priority\":3}|priority",
            "{\"userAgent\":\"\"}|userAgent",
            "{\"userAgent\":\"a\\r\\nHost: b\"}|userAgent",
            "{\"userAgent\":\"Träwl\"}|userAgent",
            "{\"proxy\":\"https://proxy:3128\"}|proxy",
            "{\"proxy\":\"http://proxy\"}|proxy",
            "{\"domains\":[\"https://example.org\"]}|domains[0]",
            "{\"domains\":[\"example.org\",\"co.uk\"]}|domains[1]",
            "{\"seeds\":[{}]}|seeds[0].url",
            "{\"seeds\":[{\"url\":\"https://a.org/\"},{\"url\":\"mailto:x\"}]}|seeds[1].url",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"priority\":9}]}|seeds[0].priority",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"crawl\":\"other\"}]}|seeds[0].crawl",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"headers\":{\"a b\":\"c\"}}]}|seeds[0].headers",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"cookie\":\"a\\nb\"}]}|seeds[0].cookie",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"wait\":\"2h\"}]}|seeds[0].wait",
            "{\"seeds\":[{\"url\":\"https://a.org/\",\"proxy\":\"socks\"}]}|seeds[0].proxy"})
    void aFaultNamesItsField(String json, String field) {
        assertThat(faults(json)).extracting(Fault::field).containsExactly(field);
    }

    @Test
    void allFaultsAreNamedAtOnce() {
        assertThat(faults(
                "{\"depth\":-9,\"maxBytes\":-1,\"schedule\":{\"cron\":\"soon\",\"zone\":\"here\"},\"delay\":\"5h\",\"seeds\":[{},{\"url\":\"x\"}],\"domains\":[\"a b\"]}"))
                .extracting(Fault::field)
                .containsExactly("depth", "maxBytes", "schedule.cron", "schedule.zone", "delay", "domains[0]", "seeds[0].url",
                        "seeds[1].url");
    }

    @ParameterizedTest(name = "{0} accepts {1}")
    @CsvSource(delimiter = '|', value = {
            "{\"seeds\":[{\"url\":\"https://docs.example.co.uk/a\"},{\"url\":\"http://[::1]:80/\"}]}|[::1] example.co.uk",
            "{\"seeds\":[{\"url\":\"https://a.org/\"}],\"domains\":[\"B.org\"]}|b.org",
            "{\"depth\":-1,\"delay\":\"0ms\",\"maxPages\":1,\"priority\":2}|''"})
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
        assertThatThrownBy(() -> definition("{\"profile\":\"robot\"}"))
                .hasMessage("profile: 'robot' is not valid: plain or browser");
        assertThat(definition("{}").profile()).isEqualTo(FetchStyle.PLAIN);
        assertThat(definition("{\"profile\":\"browser\",\"proxy\":\"http://proxy:3128\"}")).satisfies(d -> {
            assertThat(d.profile()).isEqualTo(FetchStyle.BROWSER);
            assertThat(d.proxy()).contains("http://proxy:3128");
            assertThat(definition(Json.text(d))).isEqualTo(d);
        });
    }

    private List<Fault> faults(String json) {
        return catchThrowableOfType(InvalidDefinition.class, () -> rules.check(DOCS, definition(json))).faults();
    }

    private static CrawlDefinition definition(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }
}
