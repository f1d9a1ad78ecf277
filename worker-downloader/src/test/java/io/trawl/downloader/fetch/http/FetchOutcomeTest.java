package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.ArchivedBody;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchOutcomeTest extends FetchFixture {
    @Test
    void aPageComesWithItsBodyAndItsHeadersInLowerCase() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "héllo", "Content-Type: text/html",
                "X-Robots-Tag: noindex", "X-Robots-Tag: nofollow"));
        FetchResult fetchResult = fetch(server.url("/a?b=c#d"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(text(fetchResult)).isEqualTo("héllo");
        assertThat(fetchResult.headers()).containsEntry("content-type", "text/html").containsEntry("x-robots-tag",
                "noindex\nnofollow");
        assertThat(fetchResult.took()).isPositive();
        assertThat(fetchResult.retryAfter()).isEmpty();
        assertThat(server.heads().getFirst()).startsWith("GET /a?b=c HTTP/1.1\r\n")
                .contains("Host: 127.0.0.1:" + server.port())
                .contains("User-Agent: Trawl-Test/1.0 (+https://crawler.example)")
                .contains("Accept-Encoding: gzip, br, zstd, deflate").contains("Accept: text/html")
                .contains("Accept-Language: en").doesNotContain("Cookie").doesNotContain("Upgrade");
    }

    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "201 Created", "203 Other", "204 No Content", "205 Reset Content"})
    void everySuccessIsAPage(String status) throws IOException {
        RawServer server = server(turn -> turn.answer(status, ""));
        assertThat(fetch(server.url("/")).outcome())
                .isEqualTo(new Outcome.Success(Integer.parseInt(status.substring(0, 3)), false));
    }

    @Test
    void aPartThatWasNotAskedForIsAFailure() throws IOException {
        RawServer server = server(
                turn -> turn.answer("206 Partial Content", "a part", "Content-Range: bytes 0-5/1000000"));
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL, "206", "no range");
        FetchResult part = fetch(request(server.url("/"), FetchOptions.NONE.withHeaders(Map.of("range", "bytes=0-5"))));
        assertThat(part.outcome()).isEqualTo(new Outcome.Success(206, false));
        assertThat(text(part)).isEqualTo("a part");
    }

    /** The answer of a server that knows one version, by its entity tag and its date. */
    private RawServer versioned() throws IOException {
        return server(turn -> {
            boolean known = turn.head().contains("If-None-Match: W/\"a-gzip\"\r\n") || turn.path().equals("/always");
            turn.answer(known ? "304 Not Modified" : "200 OK", known ? "" : "x", "ETag: W/\"a-gzip\"");
        });
    }

    private FetchResult visit(String url, FetchOptions options, Visit visit) {
        return fetch(request(url, options).withVisit(Optional.of(visit)));
    }

    private static Visit visited(String etag) {
        return VisitBuilder.builder().number(1).state(PageState.STORED).etag(Optional.of(etag))
                .lastModified(Optional.of("Wed, 21 Oct 2015 07:28:00 GMT")).build();
    }

    @Test
    void aPageThatWasVisitedIsAskedForOnlyIfItHasChanged() throws IOException {
        RawServer server = versioned();
        FetchResult same = visit(server.url("/"), FetchOptions.NONE, visited("W/\"a-gzip\""));
        assertThat(same.outcome()).isEqualTo(new Outcome.Unchanged());
        assertThat(same.headers()).containsEntry("etag", "W/\"a-gzip\"");
        assertThat(server.heads().getLast()).contains("If-None-Match: W/\"a-gzip\"\r\n",
                "If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT\r\n");
        assertThat(visit(server.url("/"), FetchOptions.NONE, visited("\"b\"")).outcome())
                .isEqualTo(new Outcome.Success(200, false));
        assertThat(visit(server.url("/"), FetchOptions.NONE, visited("W/\"a-gzip\"").withPlain(true)).outcome())
                .isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads().getLast()).doesNotContain("If-");
    }

    @Test
    void aCrawlWithAnArchiveAsksConditionallyForWhatAnArchiveHolds() throws IOException {
        RawServer server = versioned();
        Visit known = visited("W/\"a-gzip\"");
        Request request = request(server.url("/"), FetchOptions.NONE).withVisit(Optional.of(known));
        assertThat(fetchWith(fetcher, request, PROFILE.withArchived(true)).outcome()).as("no archive has the body")
                .isEqualTo(new Outcome.Success(200, false));
        FetchResult same = fetchWith(fetcher,
                request.withVisit(Optional
                        .of(known.withArchived(Optional.of(new ArchivedBody("A".repeat(43), 1_700_000_000_000L))))),
                PROFILE.withArchived(true));
        assertThat(same.outcome()).isEqualTo(new Outcome.Unchanged());
        assertThat(same.exchange()).hasValueSatisfying(exchange -> {
            assertThat(exchange.request()).contains("If-None-Match: W/\"a-gzip\"\r\n", "If-Modified-Since: ");
            assertThat(exchange.response()).startsWith("HTTP/1.1 304 Not Modified\r\n").contains("ETag: W/\"a-gzip\"");
        });
    }

    @Test
    void whatWasNotAskedConditionallyIsNeverUnchanged() throws IOException {
        RawServer server = versioned();
        assertThat(fetch(server.url("/always")).outcome()).isEqualTo(new Outcome.HttpError(304));
        FetchOptions own = FetchOptions.NONE.withHeaders(Map.of("if-none-match", "\"mine\""));
        assertThat(visit(server.url("/always"), own, visited("\"a\"")).outcome()).isEqualTo(new Outcome.HttpError(304));
        assertThat(server.heads().getLast()).contains("if-none-match: \"mine\"").doesNotContain("If-Modified-Since");
        FetchOptions post = FetchOptions.NONE.with(options -> options.method(Optional.of("POST")));
        visit(server.url("/"), post, visited("\"a\""));
        assertThat(server.heads().getLast()).startsWith("POST").doesNotContain("If-");
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 307, 308})
    void aRedirectIsReportedAndNotFollowed(int status) throws IOException {
        RawServer server = server(turn -> turn.answer(status + " Moved", "moved", "Location: ../b?c=d"));
        FetchResult fetchResult = fetch(server.url("/a/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Redirect(status, "../b?c=d"));
        assertThat(fetchResult.body().length()).isZero();
        assertThat(server.heads()).hasSize(1);
    }

    @Test
    void aLocationInUtf8IsReadAsSuch() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: /"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            turn.write("größe".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            turn.write("\r\n\r\n");
        });
        assertThat(fetch(server.url("/")).outcome()).isEqualTo(new Outcome.Redirect(301, "/größe"));
    }

    @Test
    void aLocationThatIsNotUtf8KeepsItsBytesAndAnyOtherHeaderIsReadAsLatin1() throws IOException {
        RawServer server = server(turn -> turn.write("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n"
                + "X-Name: gr\u00f6\u00dfe\r\nLocation: /gr\u00f6\u00dfe?q=%20\u00e9\u00ff\r\n\r\n"));
        FetchResult redirect = fetch(server.url("/"));
        assertThat(redirect.outcome()).isEqualTo(new Outcome.Redirect(301, "/gr%F6%DFe?q=%20%E9%FF"));
        assertThat(redirect.headers()).containsEntry("x-name", "größe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"301 Moved", "304 Not Modified", "400 Bad", "401 Unauthorized", "404 Not Found",
            "407 Proxy", "410 Gone", "429 Slow", "451 Law", "500 Oops", "503 Busy", "599 Odd"})
    void everyOtherStatusIsAnHttpErrorWithoutABody(String status) throws IOException {
        RawServer server = server(turn -> turn.answer(status, status.startsWith("304") ? "" : "explanation",
                "WWW-Authenticate: Basic realm=x"));
        FetchResult fetchResult = fetch(server.url("/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.HttpError(Integer.parseInt(status.substring(0, 3))));
        assertThat(fetchResult.body().length()).isZero();
        assertThat(server.heads()).hasSize(1);
    }

    @Test
    void retryAfterIsReadAsSecondsAndAsADate() throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT)
                .format(ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(10));
        RawServer server = server(
                turn -> turn.answer("503 Busy", "", "Retry-After: " + (turn.path().equals("/seconds") ? "120" : date)));
        assertThat(fetch(server.url("/seconds")).retryAfter()).contains(Duration.ofSeconds(120));
        assertThat(fetch(server.url("/date")).retryAfter().orElseThrow()).isBetween(Duration.ofMinutes(9),
                Duration.ofMinutes(10));
    }

    @Test
    void aClosedPortIsAFailureToConnect() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertFailure(fetch("http://127.0.0.1:" + port + "/"), FailureReason.CONNECT, "127.0.0.1:" + port, "refused");
    }

    @Test
    void aNameWithoutAnAddressIsADnsFailure() {
        assertFailure(fetch("http://nowhere.invalid/"), FailureReason.DNS, "nowhere.invalid");
    }

    @Test
    void plainTextWhereTlsWasExpectedIsATlsFailure() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", ""));
        RawServer plain = server;
        assertFailure(fetch("https://127.0.0.1:" + talkative() + "/"), FailureReason.TLS, "TLS");
        assertThat(plain.heads()).isEmpty();
    }

    /** Sends first, as a mail server does. */
    private int talkative() throws IOException {
        ServerSocket socket = closing(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(() -> {
            try (var s = socket.accept()) {
                s.getOutputStream().write("220 mail.example ready to talk about anything but TLS\r\n"
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                s.getInputStream().readAllBytes();
            } catch (IOException e) {
                // the test is over
            }
        });
        return socket.getLocalPort();
    }

    @ParameterizedTest
    @ValueSource(strings = {"this is no HTTP at all\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: minus one\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n"})
    void anAnswerThatBreaksTheRulesIsAProtocolFailure(String answer) throws IOException {
        RawServer server = server(turn -> {
            turn.write(answer);
            turn.socket().close();
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL);
    }

    @Test
    void anAnswerOverIsNotAnAnswerIsAFailureToConnect() throws IOException {
        RawServer server = server(turn -> turn.socket().close());
        assertFailure(fetch(server.url("/")), FailureReason.CONNECT, "without an answer");
        RawServer resetting = server(RawServer.Turn::reset);
        assertFailure(fetch(resetting.url("/")), FailureReason.CONNECT);
    }

    @Test
    void aLoopbackAddressIsRefusedUnlessTheOperatorAllowsIt() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "secret"));
        HttpFetcher strict = fetcher(Map.of("trawl.allow-network", "10.0.0.0/8"));
        for (String host : new String[]{"127.0.0.1", "localhost", "127.1", "2130706433", "[::ffff:127.0.0.1]", "[::1]",
                "0.0.0.0"}) {
            FetchResult fetchResult = fetchWith(strict,
                    request("http://" + host + ":" + server.port() + "/", FetchOptions.NONE));
            assertThat(fetchResult.outcome()).as(host).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
                assertThat(refused.reason()).isEqualTo(RefusalReason.ADDRESS);
                assertThat(refused.cause()).contains("TRAWL_ALLOW_NETWORK");
            });
        }
        assertThat(server.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://example.org/", "http://", "http:///x", "nonsense", "http://exa mple/",
            "http://host:99999/", "http://a\r\nb/", "file:///etc/passwd"})
    void aUrlThatIsNotAWebAddressIsRefused(String url) {
        assertThat(fetch(url).outcome()).isInstanceOfSatisfying(Outcome.Refused.class,
                r -> assertThat(r.reason()).isEqualTo(RefusalReason.BAD_URL));
    }

    @Test
    void aRequestBringsItsOwnHeadersAndCookie() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "", "Set-Cookie: kept=no"));
        FetchOptions options = options(Map.of("accept-language", "de", "X-Key", "v", "user-agent", "Other/2"),
                Optional.of("a=b; c=d"), Optional.empty());
        assertThat(fetch(request(server.url("/"), options)).outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads().getFirst()).containsIgnoringCase("accept-language: de\r\n").contains("X-Key: v\r\n")
                .contains("Cookie: a=b; c=d\r\n").containsIgnoringCase("user-agent: Other/2\r\n")
                .doesNotContain("Trawl-Test");
        fetch(server.url("/"));
        assertThat(server.heads().get(1)).doesNotContain("Cookie");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "connection", "Transfer-Encoding", "Content-Length", "upgrade", "TE",
            "Proxy-Authorization", "bad name", "x\r\ny", ""})
    void aHeaderOfTheConnectionCannotBeSet(String name) throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", ""));
        assertFailure(fetch(request(server.url("/"), options(Map.of(name, "x"), Optional.empty(), Optional.empty()))),
                FailureReason.OTHER, "header");
        assertThat(server.connections()).isZero();
    }

    @Test
    void aHeaderValueCannotSmuggleAnotherHeader() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", ""));
        assertFailure(
                fetch(request(server.url("/"),
                        options(Map.of("X-A", "b\r\nHost: evil"), Optional.empty(), Optional.empty()))),
                FailureReason.OTHER, "control");
        assertFailure(
                fetch(request(server.url("/"), options(Map.of(), Optional.of("b\nHost: evil"), Optional.empty()))),
                FailureReason.OTHER, "control");
    }

    @Test
    void aPathWithOddCharactersArrivesEncoded() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", ""));
        assertThat(fetch(server.url("/a|b{c}^`\"<>\\ ü%zz//x?q=[1]&r=ü y")).outcome())
                .isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads().getFirst())
                .startsWith("GET /a%7Cb%7Bc%7D%5E%60%22%3C%3E%5C%20%C3%BC%zz//x?q=[1]&r=%C3%BC%20y HTTP/1.1\r\n");
    }

    @Test
    void aUrlWithoutAPathAsksForTheRoot() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", ""));
        fetch("http://user:secret@127.0.0.1:" + server.port() + "?q");
        assertThat(server.heads().getFirst()).startsWith("GET /?q HTTP/1.1\r\n").doesNotContain("secret")
                .doesNotContain("Authorization");
    }
}
