package io.trawl.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.model.Outcome.OutcomeKind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallSiteTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 9})
    void aPlainWalkFindsExactlyTheExpectedPages(int depth) throws Exception {
        try (FakeWeb web = FakeWeb.start(2)) {
            SmallSite site = SmallSite.serve(web);
            try (PlainWalk walk = new PlainWalk(
                    u -> u.startsWith(web.host(0).url("/")) && !u.endsWith("/private/secret.html"))) {
                Map<String, PlainWalk.Seen> seen = walk.walk(site.home(), depth);

                assertThat(seen.keySet()).isEqualTo(site.expectedFetches(depth))
                        .doesNotContainAnyElementsOf(site.neverFetched());
                site.expectedPages(depth).values().forEach(page -> {
                    PlainWalk.Seen found = requireNonNull(seen.get(page.url()));
                    assertThat(found.status()).as(page.url()).isEqualTo(200);
                    assertThat(found.depth()).as(page.url()).isEqualTo(page.depth());
                    assertThat(found.links()).as(page.url()).isEqualTo(page.links());
                });
                site.expectedErrors(depth).forEach((url, error) -> assertThat(error)
                        .isEqualTo("HTTP_ERROR " + requireNonNull(seen.get(url)).status()));
                site.expectedRedirects(depth)
                        .forEach(url -> assertThat(requireNonNull(seen.get(url)).status()).isBetween(301, 308));
                assertThat(seen).hasSize(site.expectedPages(depth).size() + site.expectedErrors(depth).size()
                        + site.expectedRedirects(depth).size());
            }
        }
    }

    @Test
    void theOutcomesAddUpAndTheHomePageHasOneNormalForm() {
        try (FakeWeb web = FakeWeb.start(2)) {
            SmallSite site = SmallSite.serve(web);
            assertThat(site.expectedOutcomes(9))
                    .containsOnlyKeys(OutcomeKind.PAGE, OutcomeKind.REDIRECT, OutcomeKind.HTTP_ERROR,
                            OutcomeKind.REFUSED)
                    .containsEntry(OutcomeKind.REFUSED, 1L).containsEntry(OutcomeKind.HTTP_ERROR, 2L)
                    .containsEntry(OutcomeKind.REDIRECT, 5L);
            assertThat(site.homeAgain()).allSatisfy(
                    seed -> assertThat(UrlNormalizer.normalize(seed)).isEqualTo(new NormalUrl(site.home())));
        }
    }
}
