package io.trawl.definition.url;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.codec.Json;
import io.trawl.model.FetchOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URLs that the rules make one page have one identity, and no others. */
class IdentityRulesTest {
    private static final IdentityRules ALL = new IdentityRules(List.of("utm_*", "sid", "jsessionid"), List.of(), true,
            true, true, true);

    private static IdentityRules rules(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), IdentityRules.class);
    }

    @ParameterizedTest
    @CsvSource({"http://a.org/, https://a.org/", "https://www.a.org/x, https://a.org/x",
            "https://www.co.uk/, https://www.co.uk/", "https://www.a.org:8443/, https://a.org:8443/",
            "https://a.org/x/, https://a.org/x", "https://a.org/?utm_source=1&b=2&utm_x, https://a.org/?b=2",
            "https://a.org/?sid=1, https://a.org/", "https://a.org/?sidx=1, https://a.org/?sidx=1",
            "https://a.org/?b=2&a=1, https://a.org/?a=1&b=2", "https://a.org/?a=2&b=0&a=1, https://a.org/?a=2&a=1&b=0",
            "https://a.org/x;jsessionid=7/y, https://a.org/x/y",
            "https://a.org/x;v=1;jsessionid=7?q, https://a.org/x;v=1?q", "https://www.10.0.0.1/, https://www.10.0.0.1/",
            "https://[::1]:8080/, https://[::1]:8080/"})
    void eachRuleLeavesOutWhatDoesNotCount(String url, String canonical) {
        assertThat(ALL.canonical(url, FetchOptions.NONE).orElse(url)).isEqualTo(canonical);
    }

    @Test
    void onlyKeptParametersCountIfThereAreAny() {
        IdentityRules kept = rules("{\"keepParameters\": [\"id\", \"p*\"]}");
        assertThat(kept.canonical("http://a/?x=1&page=2&id=3&y", FetchOptions.NONE)).contains("http://a/?page=2&id=3");
        assertThat(kept.canonical("http://a/?id=3", FetchOptions.NONE)).isEmpty();
    }

    @Test
    void withoutRulesEachUrlIsItsOwn() {
        assertThat(IdentityRules.DEFAULT.canonical("http://www.a.org/x/?b&a", FetchOptions.NONE)).isEmpty();
        assertThat(rules("{}")).isEqualTo(IdentityRules.DEFAULT);
    }

    @Test
    void sourcesOfLinksAreNotAffected() {
        FetchOptions sitemap = FetchOptions.ofSource(FetchOptions.SITEMAP);
        assertThat(ALL.canonical("http://www.a.org/s/", sitemap)).isEmpty();
        assertThat(ALL.identity("http://www.a.org/s/", sitemap)).isEqualTo("sitemap http://www.a.org/s/");
    }

    @Test
    void methodAndBodyBelongToTheIdentityBesideTheCanonicalUrl() {
        FetchOptions post = FetchOptions.NONE.with().method(Optional.of("POST")).body(Optional.of("q=1")).build();
        assertThat(ALL.identity("http://a.org/x/", post)).isEqualTo(ALL.identity("https://www.a.org/x", post))
                .isNotEqualTo(ALL.identity("https://www.a.org/x", FetchOptions.NONE))
                .startsWith("POST https://a.org/x ");
    }

    @Property(tries = 500)
    void aCanonicalUrlIsCanonicalAndInNormalForm(@ForAll("urls") String url, @ForAll("rules") IdentityRules rules) {
        String canonical = rules.canonical(url, FetchOptions.NONE).orElse(url);
        assertThat(rules.canonical(canonical, FetchOptions.NONE)).isEmpty();
        assertThat(UrlNormalizer.normalize(canonical)).isEqualTo(new NormalUrl(canonical));
    }

    @Provide
    Arbitrary<String> urls() {
        Arbitrary<String> hosts = Arbitraries.of("a.org", "www.a.org", "www.www.a.org:81", "www.co.uk", "www.a",
                "10.0.0.1");
        Arbitrary<String> paths = Arbitraries.of("", "x", "x/", "x//", "a;sid=1/", ";sid=1", ";sid", "a;b;sid=/c;", "/",
                ";sid/");
        Arbitrary<String> queries = Arbitraries.of("a=1", "sid=2", "utm_a", "b", "", "=", "c=%2F").list().ofMaxSize(4)
                .map(parts -> parts.isEmpty() ? "" : "?" + String.join("&", parts));
        return Combinators.combine(Arbitraries.of("http", "https"), hosts, paths, queries)
                .as((scheme, host, path, query) -> scheme + "://" + host + "/" + path + query);
    }

    @Provide
    Arbitrary<IdentityRules> rules() {
        Arbitrary<Boolean> flags = Arbitraries.of(true, false);
        Arbitrary<List<String>> names = Arbitraries.of("sid", "utm_*", "a", "*").list().ofMaxSize(2);
        return Combinators.combine(names, names, flags, flags, flags, flags).as(IdentityRules::new);
    }
}
