package io.trawl.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HiddenTest {
    private static final String DEFINITION = """
            {"seeds":[{"url":"https://me:secret1@a.org/","headers":{"Authorization":"secret2","X-Api-Key":"secret3","Accept":"text/html"},
             "cookie":"secret4","proxy":"http://u:secret5@p:3128"},{"url":"https://b.org/"}],
             "fetch":{"proxy":"http://u:secret6@p:3128","cookie":"secret12","headers":{"X-Key":"secret13","Accept":"text/html"}},
             "webhooks":[{"url":"https://hooks.org/secret7?t=secret8","secret":"whsec_secret9"},
             {"url":"https://hooks.org/secret10","secret":"whsec_secret11"}]}""";

    private static CrawlDefinition read(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    @Test
    void aShownDefinitionHasNoSecret() {
        String shown = Json.text(read(DEFINITION).hidden());
        assertThat(shown).doesNotContain("secret1").doesNotContain("secret").contains("text/html", "https://b.org/",
                "http://(hidden)@p:3128", "https://hooks.org/(hidden)", "\"X-Api-Key\":\"(hidden)\"");
    }

    @Test
    void aShownDefinitionThatIsSentBackChangesNoSecret() {
        CrawlDefinition known = read(DEFINITION);
        CrawlDefinition back = read(Json.text(known.hidden())).withSecretsOf(known);
        assertThat(back.webhooks()).isEqualTo(known.webhooks());
        assertThat(back.fetch()).isEqualTo(known.fetch());
        assertThat(back.seeds().getFirst().options()).isEqualTo(known.seeds().getFirst().options());
    }

    @Test
    void aSecretIsThatOfTheSeedWithTheSameMethodUrlAndBody() {
        String seeds = """
                {"seeds":[{"url":"https://a.org/","cookie":"get"},
                          {"url":"https://a.org/","method":"POST","body":"q=1","cookie":"one"},
                          {"url":"https://a.org/","method":"POST","body":"q=2","cookie":"two"}]}""";
        CrawlDefinition known = read(seeds);
        CrawlDefinition shown = known.hidden();
        assertThat(shown.seeds()).extracting(seed -> seed.cookie().orElseThrow()).containsOnly(Hidden.TEXT);
        CrawlDefinition back = shown.with(d -> d.seeds(shown.seeds().reversed())).withSecretsOf(known);
        assertThat(back.seeds()).extracting(seed -> seed.cookie().orElseThrow()).containsExactly("two", "one", "get");
    }

    @Test
    void whatIsWrittenAnewReplacesTheSecret() {
        CrawlDefinition known = read(DEFINITION);
        CrawlDefinition written = read(DEFINITION.replace("secret", "changed"));
        assertThat(written.withSecretsOf(known)).isEqualTo(written);
    }

    @Test
    void aReceiverThatCannotBeToldApartStaysHidden() {
        CrawlDefinition known = read(DEFINITION);
        CrawlDefinition shown = known.hidden();
        CrawlDefinition one = shown.withWebhooks(shown.webhooks().subList(1, 2)).withSecretsOf(known);
        assertThat(one.webhooks().getFirst().url()).isEqualTo("https://hooks.org/(hidden)");
    }

    @ParameterizedTest
    @CsvSource({"https://a.org/x?y, https://a.org/(hidden)", "https://a.org, https://a.org",
            "https://a.org/, https://a.org/", "https://a.org?t=1, https://a.org/(hidden)",
            "https://u:p@a.org/, https://(hidden)@a.org/", "nonsense, nonsense"})
    void onlyTheServerOfAReceiverIsShown(String url, String shown) {
        assertThat(Hidden.beyondServer(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"http://h:1, true", "http://h:65535, true", "http://h:65536, false", "http://h:99999, false",
            "http://h:0, false", "http://h, true"})
    void aPortIsAtMost65535(String url, boolean valid) {
        assertThat(Webhook.isUrl(url)).isEqualTo(valid);
    }

    @Test
    void aProxyIsShownWithAReferenceAndWithoutAPassword() {
        CrawlDefinition definition = CrawlDefinition.of(List.of())
                .with(d -> d.fetch(CrawlDefinition.FetchRules.DEFAULT
                        .with(fetch -> fetch.proxy(Optional.of("http://u:${env:TRAWL_SECRET_P}@p:1"))
                                .proxies(List.of("http://u:secret@p:1", "http://token@p:1")))));
        assertThat(definition.hidden().fetch().proxy()).isEqualTo(definition.fetch().proxy());
        assertThat(definition.hidden().fetch().proxies()).containsOnly("http://(hidden)@p:1");
    }
}
