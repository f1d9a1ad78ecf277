package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerivedIdTest {
    @Test
    void doesNotDependOnTheOrderOfSeedsAndDomains() {
        assertThat(DerivedId.of(List.of("https://b.example/", "https://a.example/"), Optional.empty(),
                List.of("y", "x"), 2))
                .isEqualTo(DerivedId.of(List.of("https://a.example/", "https://b.example/"), Optional.empty(),
                        List.of("x", "y"), 2));
    }

    @Test
    void changesWithSeedsDomainsAndDepth() {
        List<String> seeds = List.of("https://a.example/");
        assertThat(List.of(DerivedId.of(seeds, Optional.empty(), List.of(), 2),
                DerivedId.of(seeds, Optional.empty(), List.of(), 3),
                DerivedId.of(seeds, Optional.empty(), List.of("a.example"), 2),
                DerivedId.of(List.of("https://a.example/", "https://b.example/"), Optional.empty(), List.of(), 2),
                DerivedId.of(List.of("https://a.example/x"), Optional.empty(), List.of(), 2))).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"https://docs.example.org:8443/a, docs.example.org-", "'http://[::1]:8000/', 1-",
            "http://127.0.0.1/, 127.0.0.1-", "https://a_b.example/, a-b.example-",
            "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-"})
    void beginsWithTheHost(String seed, String start) {
        assertThat(DerivedId.of(List.of(seed), Optional.empty(), List.of(), 2).value()).startsWith(start)
                .hasSize(start.length() + 8).matches(".*-[0-9a-f]{8}");
    }
}
