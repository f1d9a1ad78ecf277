package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FetchConnectionsTest extends FetchFixture {
    @Test
    void oneConnectionServesManyFetchesInARow() throws IOException {
        RawServer server = server(
                turn -> turn.answer(turn.number() % 3 == 0 ? "404 Not Found" : "200 OK", "some text"));
        for (int i = 0; i < 50; i++) {
            fetch(server.url("/" + i));
        }
        assertThat(server.heads()).hasSize(50);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aKeptConnectionThatTheServerClosedIsNotAFailure() throws IOException {
        RawServer server = server(turn -> {
            if (turn.number() > 0) {
                turn.socket().close();
            } else {
                turn.answer("200 OK", "x");
            }
        });
        for (int i = 0; i < 5; i++) {
            assertThat(fetch(server.url("/" + i)).outcome()).isEqualTo(new Outcome.Success(200, false));
        }
        assertThat(server.connections()).isEqualTo(5);
    }

    @Test
    void aRequestIsSentWithItsMethodAndItsBodyAndTheTypeOfTheBody() throws IOException {
        RawServer server = server(turn -> {
            if (turn.head().startsWith("HEAD ")) {
                turn.write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n");
            } else {
                turn.answer("200 OK", turn.body());
            }
        });
        FetchResult form = fetch(request(server.url("/a"), sending("POST", "q=é", Map.of())));
        assertThat(form.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(text(form)).isEqualTo("q=é");
        assertThat(server.heads().getLast()).startsWith("POST /a HTTP/1.1\r\n").contains("Content-Length: 4\r\n",
                "Content-Type: application/x-www-form-urlencoded\r\n");
        assertThat(
                text(fetch(request(server.url("/"), sending("PUT", "{}", Map.of("content-type", "application/json"))))))
                .isEqualTo("{}");
        assertThat(server.heads().getLast()).contains("content-type: application/json\r\n")
                .doesNotContain("urlencoded");
        assertThat(fetch(request(server.url("/"), sending("POST", "", Map.of()))).outcome())
                .isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads().getLast()).contains("Content-Length: 0\r\n").doesNotContain("Content-Type");
        assertThat(fetch(request(server.url("/"), sending("HEAD", "", Map.of()))).outcome())
                .isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads().getLast()).startsWith("HEAD / ").doesNotContain("Content-Length");
        String long64 = "x".repeat(64 * 1024);
        assertThat(fetch(request(server.url("/"), sending("PATCH", long64, Map.of()))).body().length()).isPositive();
    }

    @Test
    void aMethodThatOnlyAForeignRecordCanNameIsNotSent() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "x"));
        for (String method : List.of("TRACE", "POST / HTTP/1.1\r\nX: y\r\n\r\nGET")) {
            assertFailure(fetch(request(server.url("/"), sending(method, "", Map.of()))), FailureReason.OTHER,
                    "the method of a request is one of GET, HEAD, POST, PUT, PATCH, DELETE");
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void aPostOnAKeptConnectionThatTheServerClosedIsSentAgainWithItsBody() throws IOException {
        List<String> bodies = new CopyOnWriteArrayList<>();
        RawServer server = server(turn -> {
            bodies.add(turn.body());
            if (turn.number() > 0) {
                turn.socket().close();
            } else {
                turn.answer("200 OK", "x");
            }
        });
        for (String body : List.of("q=1", "q=2")) {
            assertThat(fetch(request(server.url("/"), sending("POST", body, Map.of()))).outcome())
                    .isEqualTo(new Outcome.Success(200, false));
        }
        assertThat(bodies).containsExactly("q=1", "q=2", "q=2");
    }

    @Test
    void aNewConnectionThatTheServerClosesIsNotRetried() throws IOException {
        RawServer server = server(turn -> turn.socket().close());
        assertFailure(fetch(server.url("/")), FailureReason.CONNECT);
        assertThat(server.heads()).hasSize(1);
    }

    @Test
    void aResetInTheMiddleIsAProtocolFailure() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegin");
            turn.reset();
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL);
    }

    @Test
    void aBodyShorterThanPromisedIsAProtocolFailure() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegin");
            turn.socket().close();
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL, "before the end");
        RawServer chunked = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegin\r\n");
            turn.socket().close();
        });
        assertFailure(fetch(chunked.url("/")), FailureReason.PROTOCOL);
    }

    @Test
    void aBodyLongerThanPromisedDoesNotLeakIntoTheNextAnswer() throws IOException {
        RawServer server = server(turn -> turn.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + turn.path()
                + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"));
        for (String path : List.of("/one", "/two", "/six")) {
            FetchResult fetchResult = fetch(server.url(path));
            if (fetchResult.outcome() instanceof Outcome.Success) {
                assertThat(text(fetchResult)).isEqualTo(path);
            }
        }
        assertThat(text(fetch(server.url("/ten")))).isNotEqualTo("evil");
    }

    @Test
    void aBodyThatEndsWithTheConnectionIsAPage() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold but fine");
            turn.socket().close();
        });
        FetchResult fetchResult = fetch(server.url("/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(text(fetchResult)).isEqualTo("old but fine");
    }

    @Test
    void interimAnswersAreSkipped() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
            turn.answer("200 OK", "final");
        });
        assertThat(text(fetch(server.url("/")))).isEqualTo("final");
    }

    @Test
    void manyFetchesAtATimeAllGetTheirOwnAnswer() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "answer to " + turn.path()));
        fetcher = fetcher(Map.of("trawl.downloader.response-timeout", "10s", "trawl.downloader.total-timeout", "20s"));
        List<CompletableFuture<FetchResult>> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(fetcher.fetch(request(server.url("/" + i), FetchOptions.NONE), PROFILE, () -> true));
        }
        for (int i = 0; i < all.size(); i++) {
            FetchResult fetchResult = all.get(i).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
            assertThat(text(fetchResult)).isEqualTo("answer to /" + i);
        }
    }

    @Test
    void aProxyGetsTheWholeUrlAndTheRequestsOfOthersDoNot() throws IOException {
        RawServer proxy = server(turn -> turn.answer("200 OK", "by proxy"));
        FetchOptions options = options(Map.of(), Optional.empty(), Optional.of("http://127.0.0.1:" + proxy.port()));
        assertThat(text(fetch(request("http://name.known.to.proxy.only/a?b", options)))).isEqualTo("by proxy");
        assertThat(proxy.heads().getFirst()).startsWith("GET http://name.known.to.proxy.only/a?b HTTP/1.1\r\n")
                .contains("Host: name.known.to.proxy.only");
        RawServer server = server(turn -> turn.answer("200 OK", "direct"));
        assertThat(text(fetch(server.url("/")))).isEqualTo("direct");
    }

    @Test
    void aProxyIsGuardedLikeAnyAddress() throws IOException {
        RawServer proxy = server(turn -> turn.answer("200 OK", "by proxy"));
        HttpFetcher strict = fetcher(Map.of("trawl.allow-network", "10.0.0.0/8"));
        FetchOptions inside = options(Map.of(), Optional.empty(), Optional.of("http://127.0.0.1:" + proxy.port()));
        assertThat(fetchWith(strict, request("http://example.org/", inside)).outcome()).isInstanceOfSatisfying(
                Outcome.Refused.class, r -> assertThat(r.reason()).isEqualTo(RefusalReason.ADDRESS));
        FetchResult literal = fetch(request("http://169.254.169.254/latest/meta-data", inside));
        assertThat(literal.outcome()).isInstanceOfSatisfying(Outcome.Refused.class,
                r -> assertThat(r.cause()).contains("metadata"));
        assertThat(proxy.connections()).isZero();
    }

    @Test
    void anInvalidProxyIsAFailure() {
        assertFailure(
                fetch(request("http://example.org/", options(Map.of(), Optional.empty(), Optional.of("socks5://x:1")))),
                FailureReason.OTHER, "proxy");
    }

    @Test
    void aFetchIsSentOnceEvenIfItsAnswerIsAFailure() throws IOException {
        AtomicInteger count = new AtomicInteger();
        RawServer server = server(turn -> {
            count.incrementAndGet();
            turn.answer("503 Busy", "", "Retry-After: 0");
        });
        assertThat(fetch(server.url("/")).outcome()).isEqualTo(new Outcome.HttpError(503));
        assertThat(count).hasValue(1);
    }
}
