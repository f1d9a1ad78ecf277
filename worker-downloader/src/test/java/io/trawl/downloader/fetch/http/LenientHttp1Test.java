package io.trawl.downloader.fetch.http;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

class LenientHttp1Test {
    private static final String BODY = "<title>own</title>";
    private static final HttpFetcher FETCHER = HttpFetcher.open(FetchFixture.settings(Map.of()), NameService.system(),
            BodyMemory.of(64 << 20, 64, Time.system()), Time.system());

    /** @param framing what says where the body ends */
    record Head(List<String> lines, String framing) {}

    @AfterContainer
    static void close() {
        FETCHER.close();
    }

    private static FetchResult fetched(String answer) throws IOException {
        try (RawServer server = new RawServer(turn -> {
            turn.write(answer);
            turn.socket().close();
        })) {
            return FetchFixture.fetchWith(FETCHER, FetchFixture.request(server.url("/"), FetchOptions.NONE));
        }
    }

    /** Lines without a colon or a name, but blank ones, which end the head, and those that continue another. */
    private static Arbitrary<String> oddLines() {
        Arbitrary<String> words = Arbitraries.strings().withCharRange('!', '~').excludeChars(':').ofMinLength(1)
                .ofMaxLength(30);
        return Arbitraries.oneOf(words, words.map(word -> word + " with blanks"), words.map(word -> ": " + word),
                Arbitraries.of("X-XSS-Protection=1;", "HTTP/1.1 200 OK", "\0\1", "\u00e4"));
    }

    @Provide
    static Arbitrary<String> framings() {
        Arbitrary<String> length = Arbitraries.of("18", "018", "18, 18", "18 ,018", "18,", ", 18");
        Arbitrary<String> lengths = length.map(value -> "Content-Length: " + value).list().ofMinSize(1).ofMaxSize(3)
                .map(lines -> String.join("\r\n", lines));
        Arbitrary<String> identity = Arbitraries.of("", "\r\nTransfer-Encoding: identity",
                "\r\ntransfer-encoding: IDENTITY,", "\r\nTransfer-Encoding:");
        return Combinators
                .combine(Arbitraries.oneOf(lengths, Arbitraries.of("Content-Length:", "X-Length: none")), identity)
                .as((of, coding) -> of + coding);
    }

    @Provide
    Arbitrary<Head> heads() {
        Arbitrary<String> good = Arbitraries.integers().between(0, 9).map(n -> "X-Good-" + n + ": yes");
        return Combinators.combine(Arbitraries.oneOf(oddLines(), oddLines(), good).list().ofMaxSize(6), framings())
                .as(Head::new);
    }

    @Property(tries = 200)
    void oddLinesAreSkippedAndTheOthersCount(@ForAll("heads") Head head) throws IOException {
        String lines = head.lines().isEmpty() ? "" : String.join("\r\n", head.lines()) + "\r\n";
        FetchResult page = fetched("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + lines + head.framing()
                + "\r\nX-Last: yes\r\n\r\n" + BODY);
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(FetchFixture.text(page)).isEqualTo(BODY);
        assertThat(page.headers()).containsEntry("x-last", "yes").containsEntry("content-type", "text/html");
        head.lines().stream().filter(line -> line.startsWith("X-Good-")).forEach(line -> assertThat(page.headers())
                .containsKey(line.substring(0, 8).toLowerCase(java.util.Locale.ROOT)));
    }

    @Property(tries = 50)
    void chunksCountBesideIdentityAndAnyLength(@ForAll("heads") Head head) throws IOException {
        FetchResult page = fetched("HTTP/1.1 200 OK\r\n" + head.framing()
                + "\r\nTransfer-Encoding: chunked, identity\r\n\r\n12\r\n" + BODY + "\r\n0\r\n\r\n");
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(FetchFixture.text(page)).isEqualTo(BODY);
    }

    @Property(tries = 100)
    void oddLinesAmongTrailersLoseNoPage(@ForAll("heads") Head trailers, @ForAll("framings") String framing)
            throws IOException {
        FetchResult page = fetched("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n" + BODY.substring(0, 2)
                + "\r\n10\r\n" + BODY.substring(2) + "\r\n0\r\n"
                + trailers.lines().stream().map(line -> line + "\r\n").collect(joining()) + framing + "\r\n\r\n");
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(FetchFixture.text(page)).isEqualTo(BODY);
    }

    @Provide
    Arbitrary<String> untrusted() {
        return Arbitraries.of("Content-Length: 18\r\nContent-Length: 5", "Content-Length: 18, 5", "Content-Length: 18;",
                "Content-Length: 18\r\nContent-Length: many", "Transfer-Encoding: identity, gzip",
                "Transfer-Encoding: chunked, identity, chunked");
    }

    @Property
    void whatLeavesTheEndOfTheBodyOpenStaysAFailure(@ForAll("untrusted") String field) throws IOException {
        FetchFixture.assertFailure(fetched("HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n" + BODY), FailureReason.PROTOCOL);
    }
}
