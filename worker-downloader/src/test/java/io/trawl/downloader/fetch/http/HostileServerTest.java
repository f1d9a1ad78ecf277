package io.trawl.downloader.fetch.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that want to keep the client busy, fill its memory, or confuse it. */
class HostileServerTest extends FetchFixture {
    /** No more than this fits into the socket buffers of both sides. */
    private static final long BUFFERED = 12_000_000;

    private final AtomicLong written = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** Writes the same bytes until the client is gone. */
    private void withoutEnd(RawServer.Turn turn, String text) throws IOException {
        byte[] bytes = text.getBytes(US_ASCII);
        try {
            while (true) {
                turn.write(bytes);
                written.addAndGet(bytes.length);
            }
        } finally {
            stopped.set(true);
        }
    }

    private void assertStopped() {
        await().untilTrue(stopped);
        assertThat(written.get()).isLessThan(BUFFERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints", "199 Odd"})
    void interimAnswersWithoutEndAreCounted(String status) throws IOException {
        RawServer server = server(turn -> withoutEnd(turn, ("HTTP/1.1 " + status + "\r\n\r\n").repeat(1000)));
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL, "interim");
        assertStopped();
    }

    @Test
    void aFewLargeInterimAnswersAreBoundedByTheirBytes() throws IOException {
        RawServer server = server(turn -> {
            turn.write(("HTTP/1.1 103 Early Hints\r\nLink: " + "x".repeat(30_000) + "\r\n\r\n").repeat(12));
            turn.answer("200 OK", "late");
        });
        assertFailure(fetch(server.url("/")), FailureReason.TOO_LARGE, "headers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Type: te", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /targ"})
    void headersThatEndWithTheConnectionAreAProtocolFailure(String answer) throws IOException {
        RawServer server = server(turn -> {
            turn.write(answer);
            turn.socket().close();
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL, "before the end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.0 103 Early Hints\n\nHTTP/1.0 200 OK\r\n\n"})
    void aBodyThatEndsWithTheConnectionIsCompleteEvenIfAllArrivesAtOnce(String head) throws IOException {
        RawServer server = server(turn -> {
            turn.write(head + "page");
            turn.socket().close();
        });
        FetchResult page = fetch(server.url("/"));
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(new String(page.body().bytes(), US_ASCII)).isEqualTo("page");
    }

    @Test
    void headersThatArriveByteByByteAreComplete() throws IOException {
        RawServer server = server(turn -> {
            for (byte b : "HTTP/1.0 103 Early Hints\n\nHTTP/1.0 200 OK\r\n\n".getBytes(US_ASCII)) {
                turn.write(new byte[]{b});
            }
            turn.write("page");
            turn.socket().close();
        });
        assertThat(fetch(server.url("/")).outcome()).isEqualTo(new Outcome.Success(200, false));
    }

    @Test
    void hostileServersOnAllThreadsDoNotStopAnHonestFetch() throws IOException {
        RawServer hostile = server(turn -> withoutEnd(turn, "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000)));
        RawServer honest = server(turn -> turn.answer("200 OK", "honest"));
        fetcher = fetcher(Map.of("trawl.downloader.total-timeout", "10s", "trawl.downloader.response-timeout", "10s"));
        List<CompletableFuture<FetchResult>> fetches = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            fetches.add(fetcher.fetch(request(hostile.url("/" + i), FetchOptions.NONE), PROFILE, () -> true));
        }
        FetchResult page = fetch(honest.url("/"));
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        fetches.forEach(fetch -> assertFailure(fetch.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join(),
                FailureReason.PROTOCOL));
    }

    @Test
    void headersAreCutOffBeforeTheyAreAllRead() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\n");
            withoutEnd(turn, "X-Long: " + "x".repeat(32_000) + "\r\n");
        });
        assertFailure(fetch(server.url("/")), FailureReason.TOO_LARGE, "headers");
        assertStopped();
    }

    @Test
    void aLocationOfAMegabyteIsTooLarge() throws IOException {
        RawServer server = server(turn -> turn.answer("301 Moved", "", "Location: /" + "x".repeat(1 << 20)));
        assertFailure(fetch(server.url("/")), FailureReason.TOO_LARGE, "headers");
    }

    @Test
    void chunksThatAreMostlyExtensionsAreCutOff() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            withoutEnd(turn, "1;" + "e".repeat(1000) + "\r\nx\r\n");
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL, "chunk");
        assertStopped();
    }

    @Test
    void smallChunksOfAnHonestServerPass() throws IOException {
        RawServer server = server(turn -> turn.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(50_000) + "0\r\n\r\n"));
        FetchResult page = fetch(server.url("/"));
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(page.body().length()).isEqualTo(50_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Many: x\r\n", "no colon\r\n"})
    void trailersWithoutEndAreAProtocolFailure(String trailer) throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n");
            withoutEnd(turn, trailer.repeat(1000));
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL);
        assertStopped();
    }

    static Stream<String> brokenChunks() {
        return Stream.of("not a size\r\n", "\r\n\r\n", "-5\r\nhello\r\n", "0x5\r\nhello\r\n",
                "5\r\nhello, world\r\n0\r\n\r\n", "ffffffffffffffffff\r\nhello\r\n", "5;" + "e".repeat(70_000),
                "\u0000\u0001\r\n");
    }

    @ParameterizedTest
    @MethodSource("brokenChunks")
    void brokenChunkFramingIsAProtocolFailure(String chunks) throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n" + chunks);
            pause(over, 20_000);
        });
        FetchResult page = fetch(server.url("/"));
        over.countDown();
        assertFailure(page, FailureReason.PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: -1", "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length: 99999999999999999999", "Content-Length: 5, 6", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\u000b"})
    void aLengthThatCannotBeTrustedIsAProtocolFailure(String field) throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\n" + field + "\r\n\r\nhello");
            turn.socket().close();
        });
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000 Odd", "99999 Odd", "2147483648 Odd", "99 Odd", "000 Odd", "-200 Odd", "+200 Odd",
            "20O Odd"})
    void aStatusOutsideOfThreeDigitsIsAProtocolFailure(String status) throws IOException {
        RawServer server = server(turn -> turn.answer(status, "x"));
        assertFailure(fetch(server.url("/")), FailureReason.PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Keep-Alive: timeout=-1", "Keep-Alive: timeout=9223372036854775807",
            "Keep-Alive: timeout=x, max=", "Retry-After: 99999999999999999999", "Retry-After: -1",
            "Connection: " + "close, , ;"})
    void anOddFieldIsNotAFailure(String field) throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "fine", field));
        for (int i = 0; i < 3; i++) {
            assertThat(text(fetch(server.url("/" + i)))).isEqualTo("fine");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void aBodyWhereThereIsNoneIsNotTheNextAnswer(String status) throws IOException {
        RawServer server = server(
                turn -> turn.write("HTTP/1.1 " + status + "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"));
        for (int i = 0; i < 5; i++) {
            assertThat(text(fetch(server.url("/" + i)))).doesNotContain("evil");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"websocket", "h2c", "TLS/1.2", "x"})
    void anUnwantedChangeOfProtocolIsAFailure(String protocol) throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: " + protocol + "\r\n\r\n");
            pause(over, 20_000);
        });
        fetcher = fetcher(RESPONSE_WITHIN_500_MS);
        FetchResult page = fetch(server.url("/"));
        over.countDown();
        assertThat(page.outcome()).isInstanceOf(Outcome.Failure.class);
        await().until(() -> server.openConnections() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nX-Drip: ",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;"})
    void aDripEndsAtTheTotalTimeOut(String start) throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(turn -> {
            turn.write(start);
            while (!pause(over, 50)) {
                turn.write("x");
            }
        });
        fetcher = fetcher(Map.of("trawl.downloader.total-timeout", "1s"));
        assertFailure(fetch(server.url("/")), FailureReason.TIMEOUT, "1s");
        await().until(() -> server.openConnections() == 0);
        over.countDown();
    }

    @Test
    void aManyfoldCodingIsNamedShortly() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "x", "Content-Encoding: " + "gzip, ".repeat(5000)));
        FetchResult page = fetch(server.url("/"));
        assertFailure(page, FailureReason.PROTOCOL, "5000");
        assertThat(((Outcome.Failure) page.outcome()).cause()).hasSizeLessThan(400);
    }

    @Test
    void anErrorOnTheThreadOfTheClientEndsItsFetchAndNoOther() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "fine"));
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            AtomicInteger asked = new AtomicInteger();
            FetchResult failed = fetcher.fetch(request(server.url("/"), FetchOptions.NONE), PROFILE, () -> {
                if (asked.incrementAndGet() > 1) {
                    throw new StackOverflowError();
                }
                return true;
            }).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            assertFailure(failed, FailureReason.OTHER, "StackOverflow");
        }
        for (int i = 0; i < 20; i++) {
            assertThat(text(fetch(server.url("/" + i)))).isEqualTo("fine");
        }
    }

    @Test
    void anErrorBeforeTheRequestIsSentIsAFailure() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "fine"));
        FetchResult failed = fetcher.fetch(request(server.url("/"), FetchOptions.NONE), PROFILE, () -> {
            throw new StackOverflowError();
        }).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertFailure(failed, FailureReason.OTHER);
    }

    private static boolean pause(CountDownLatch over, long millis) {
        try {
            return over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }
}
