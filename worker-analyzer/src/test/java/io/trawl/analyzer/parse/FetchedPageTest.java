package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.analyzer.Fixtures;
import io.trawl.api.Page;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A response as plug-ins see it. */
class FetchedPageTest {
    private static final Request REQUEST = Fixtures.request("http://example.org/a", 2,
            FetchOptions.NONE.withMetadata(Map.of("team", "news")));

    @Test
    void aPageHasTheValuesOfTheResponseTheRequestAndTheCrawl() {
        Page page = new FetchedPage(
                Fixtures.response(REQUEST, new Outcome.Success(206, true),
                        Map.of("content-type", "application/PDF; x=y", "etag", "\"1\""), new byte[]{'a'}),
                Fixtures.definition("{\"extract\":{\"text\":false},\"fetch\":{\"userAgent\":\"NewsBot/2.0 (mail)\"}}"));

        assertThat(page.url()).isEqualTo("http://example.org/a");
        assertThat(page.crawl()).isEqualTo("docs");
        assertThat(page.depth()).isEqualTo(2);
        assertThat(page.parent()).contains("http://example.org/parent");
        assertThat(page.metadata()).containsExactly(Map.entry("team", "news"));
        assertThat(page.status()).isEqualTo(206);
        assertThat(page.truncated()).isTrue();
        assertThat(page.fetchedAt()).isEqualTo(Fixtures.THEN);
        assertThat(page.contentType()).isEqualTo("application/pdf");
        assertThat(page.isHtml()).isFalse();
        assertThat(page.header("ETag")).isEqualTo("\"1\"");
        assertThat(page.header("Link")).isEmpty();
        assertThat(page.textWanted()).isFalse();
        assertThat(page.productToken()).isEqualTo("newsbot");
    }

    @Test
    void aReferenceIsResolvedIfItIsAnHttpUrl() {
        Page page = Fixtures.html("http://example.org/a/", "<p>");

        assertThat(page.isHtml()).isTrue();
        assertThat(page.textWanted()).isTrue();
        assertThat(page.resolve(page.url(), "../B?c#d")).contains("http://example.org/B?c");
        assertThat(page.resolve(page.url(), "mailto:me@example.org")).isEmpty();
    }

    @Test
    void aResponseWithoutABodyIsNotAPage() {
        assertThatThrownBy(
                () -> new FetchedPage(Fixtures.response(REQUEST, new Outcome.HttpError(404), Map.of(), new byte[0]),
                        Fixtures.definition("{}")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("404");
    }
}
