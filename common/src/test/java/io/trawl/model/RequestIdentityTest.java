package io.trawl.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.ItemId;
import io.trawl.model.Request.RequestIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RequestIdentityTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");

    /** A request as HTTP sees it: a GET that is named is the same as none, and so is an empty body. */
    record Sent(String method, String url, String body) {
        static Sent of(String url, Optional<String> method, Optional<String> body) {
            return new Sent(method.orElse("GET"), url, body.orElse(""));
        }
    }

    record Asked(String url, Optional<String> method, Optional<String> body) {
        String identity() {
            return RequestIdentity.of(url, method, body, Optional.empty());
        }

        Sent sent() {
            return Sent.of(url, method, body);
        }
    }

    /**
     * Few parts, so that two requests are often alike in all but one, and parts that look like those of an identity.
     */
    @Provide
    Arbitrary<Asked> requests() {
        Arbitrary<String> urls = Arbitraries.of("http://a/", "http://a/b", "http://a/?POST", "http://a/?q=1",
                "https://a/");
        Arbitrary<String> methods = Arbitraries.of("GET", "POST", "PUT", "HEAD", "DELETE");
        Arbitrary<String> bodies = Arbitraries.oneOf(
                Arbitraries.of("", "1", "q=1", " ", "\n", "POST http://a/", "é", "e\u0301"),
                Arbitraries.strings().withChars("a= \n&").ofMaxLength(3));
        return Combinators.combine(urls, methods.optional(), bodies.optional()).as(Asked::new);
    }

    @Property
    void twoRequestsHaveOneIdentityExactlyIfMethodUrlAndBodyAreTheSame(@ForAll("requests") Asked a,
            @ForAll("requests") Asked b) {
        assertThat(a.identity().equals(b.identity())).as("%s and %s", a, b).isEqualTo(a.sent().equals(b.sent()));
        assertThat(Fingerprint.of(a.identity()).equals(Fingerprint.of(b.identity())))
                .isEqualTo(a.sent().equals(b.sent()));
        assertThat(ItemId.of(RUN, a.identity(), ItemId.PAGE, 0).equals(ItemId.of(RUN, b.identity(), ItemId.PAGE, 0)))
                .isEqualTo(a.sent().equals(b.sent()));
    }

    @Example
    void aKeyIsTheSameInAllRunsOfACrawlAndTellsPagesTypesAndOrdinalsApart() {
        CrawlId docs = new CrawlId("docs");
        String key = ItemId.key(docs, "http://a/");
        assertThat(key).matches("[0-9a-f]{40}").isEqualTo(ItemId.key(docs, "http://a/", ItemId.part(ItemId.PAGE, "0")));
        assertThat(Set.of(ItemId.key(docs, "http://a/", ItemId.part(ItemId.TYPE + "offer", "1")),
                ItemId.key(docs, "http://a/", ItemId.part(ItemId.TYPE + "offer", "2")),
                ItemId.key(docs, "http://a/", ItemId.part(ItemId.TYPE + "review", "1")), key))
                .allMatch(other -> other.startsWith(key.substring(0, ItemId.PAGE_DIGITS)));
        assertThat(Set.of(ItemId.key(docs, "http://b/"), ItemId.key(new CrawlId("blog"), "http://a/")))
                .noneMatch(other -> other.startsWith(key.substring(0, ItemId.PAGE_DIGITS)));
    }

    @Property
    void thatOfAPlainGetIsItsUrlSoIdsOfEarlierVersionsRemain(@ForAll("requests") Asked asked) {
        assertThat(new Asked(asked.url(), Optional.empty(), Optional.empty()).identity()).isEqualTo(asked.url());
        assertThat(new Asked(asked.url(), Optional.of("GET"), Optional.of("")).identity()).isEqualTo(asked.url());
        assertThat(asked.identity().equals(asked.url()))
                .isEqualTo(asked.sent().equals(new Sent("GET", asked.url(), "")));
    }

    @Example
    void anIdentityIsWrittenAsDocumented() {
        assertThat(RequestIdentity.of("http://a/", Optional.of("POST"), Optional.of("q=1"), Optional.empty()))
                .isEqualTo("POST http://a/ 02f5e6e36c0369d5dbc9195fb0cf6d5eb415a620d0b80b8bc080039186e26925");
        assertThat(RequestIdentity.of("http://a/", Optional.empty(), Optional.empty(), Optional.of("sitemap")))
                .isEqualTo("sitemap http://a/");
        assertThat(RequestIdentity.of("http://a/", Optional.empty(), Optional.empty(), Optional.of("html")))
                .isEqualTo("http://a/");
    }

    @Example
    void anAnswerThatDoesNotFitIntoARecordKeepsTheIdentityOfItsRequest() {
        FetchOptions options = FetchOptions.NONE.with().headers(Map.of("X-A", "b")).cookie(Optional.of("c=d"))
                .parser(Optional.of("html")).metadata(Map.of("k", "v")).method(Optional.of("POST"))
                .body(Optional.of("q=1")).build();
        Request request = RequestBuilder.builder().id(new Request.RequestId(1)).run(RUN).url("http://x/")
                .host(new HostKey("x:80")).seed(true).options(options).build();
        assertThat(request.withoutOptions().identity()).isEqualTo(request.identity()).startsWith("POST http://x/ ");
        assertThat(request.withoutOptions().options().headers()).isEmpty();
        assertThat(request.withoutOptions().withoutOptions()).isEqualTo(request.withoutOptions());
    }
}
