package io.trawl.downloader.fetch.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchLimitsTest extends FetchFixture {
    @Test
    void aBodyOfExactlyTheLimitIsWhole() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", new byte[BODY_LIMIT]));
        FetchResult fetchResult = fetch(server.url("/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(fetchResult.body().length()).isEqualTo(BODY_LIMIT);
    }

    @Test
    void aBodyOfOneByteMoreIsCutAndMarked() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", new byte[BODY_LIMIT + 1]));
        FetchResult fetchResult = fetch(server.url("/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, true));
        assertThat(fetchResult.body().length()).isEqualTo(BODY_LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "404 Not Found"})
    void anEndlessBodyIsBrokenOffInsteadOfRead(String status) throws IOException {
        AtomicLong written = new AtomicLong();
        AtomicBoolean stopped = new AtomicBoolean();
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n");
            byte[] chunk = ("1000\r\n" + "x".repeat(4096) + "\r\n").getBytes(US_ASCII);
            try {
                while (true) {
                    turn.write(chunk);
                    written.addAndGet(4096);
                }
            } finally {
                stopped.set(true);
            }
        });
        FetchResult fetchResult = fetch(server.url("/"));
        if (status.startsWith("200")) {
            assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, true));
            assertThat(fetchResult.body().length()).isEqualTo(BODY_LIMIT);
        } else {
            assertThat(fetchResult.outcome()).isEqualTo(new Outcome.HttpError(404));
        }
        await().untilTrue(stopped);
        assertThat(written.get()).as("no more than the socket buffers hold").isLessThan(20_000_000);
        await().until(() -> server.openConnections() == 0);
    }

    @Test
    void aSlowDripEndsAtTheTotalTimeOut() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
            while (!pause(over, 100)) {
                turn.write("x");
            }
        });
        fetcher = fetcher(Map.of("trawl.downloader.total-timeout", "1s"));
        FetchResult fetchResult = fetch(server.url("/"));
        assertFailure(fetchResult, FailureReason.TIMEOUT, "1s", "complete");
        assertThat(fetchResult.statusSeen()).isTrue();
        assertThat(fetchResult.took()).isBetween(Duration.ofMillis(950), Duration.ofSeconds(4));
        await().until(() -> server.openConnections() == 0);
        over.countDown();
    }

    @Test
    void silenceBeforeTheAnswerEndsAtTheResponseTimeOut() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(_ -> pause(over, 20_000));
        fetcher = fetcher(RESPONSE_WITHIN_500_MS);
        FetchResult fetchResult = fetch(server.url("/"));
        over.countDown();
        assertFailure(fetchResult, FailureReason.TIMEOUT, "500ms");
        assertThat(fetchResult.statusSeen()).isFalse();
        assertThat(fetchResult.took()).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void silenceInTheMiddleEndsAtTheResponseTimeOut() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegin");
            pause(over, 20_000);
        });
        fetcher = fetcher(RESPONSE_WITHIN_500_MS);
        FetchResult fetchResult = fetch(server.url("/"));
        over.countDown();
        assertFailure(fetchResult, FailureReason.TIMEOUT, "sent no data");
        assertThat(fetchResult.statusSeen()).isTrue();
    }

    @Test
    void timeOutsOfACrawlCountUnlessThoseOfTheProcessAreShorter() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer silent = server(_ -> pause(over, 20_000));
        RawServer drip = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
            while (!pause(over, 50)) {
                turn.write("x");
            }
        });
        fetcher = fetcher(RESPONSE_WITHIN_500_MS);
        assertFailure(fetch(silent, "200ms", "1h"), FailureReason.TIMEOUT, "200ms");
        assertFailure(fetch(silent, "1h", "1h"), FailureReason.TIMEOUT, "500ms");
        fetcher = fetcher(Map.of());
        assertFailure(fetch(drip, "1h", "300ms"), FailureReason.TIMEOUT, "300ms", "complete");
        over.countDown();
    }

    private FetchResult fetch(RawServer server, String response, String total) {
        FetchProfile crawl = FetchProfile.of(
                FetchRules.DEFAULT
                        .with(fetch -> fetch.responseTimeout(Optional.of(Durations.parse("response", response)))
                                .totalTimeout(Optional.of(Durations.parse("total", total)))),
                new CrawlVariables(Map.of()));
        return fetcher.fetch(request(server.url("/"), FetchOptions.NONE), crawl, () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static boolean pause(CountDownLatch over, long millis) {
        try {
            return over.await(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void aHeaderLineWithoutEndIsTooLarge() throws IOException {
        RawServer server = server(turn -> turn
                .write("HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(300_000) + "\r\nContent-Length: 0\r\n\r\n"));
        assertFailure(fetch(server.url("/")), FailureReason.TOO_LARGE, "headers");
    }

    @Test
    void tooManyHeadersAreTooLarge() throws IOException {
        RawServer server = server(turn -> turn
                .write("HTTP/1.1 200 OK\r\n" + "X-Many: x\r\n".repeat(5_000) + "Content-Length: 0\r\n\r\n"));
        assertFailure(fetch(server.url("/")), FailureReason.TOO_LARGE, "headers");
    }

    @Test
    void manyLongHeadersAreTooLargeTogether() throws IOException {
        RawServer server = server(turn -> turn.write("HTTP/1.1 200 OK\r\n"
                + ("X-Many: " + "x".repeat(20_000) + "\r\n").repeat(10) + "Content-Length: 0\r\n\r\n"));
        assertFailure(fetch(server.url("/")), FailureReason.TOO_LARGE, "headers");
    }

    @Test
    void ordinaryLargeHeadersPass() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "x", "Content-Security-Policy: " + "x".repeat(12_000)));
        assertThat(fetch(server.url("/")).outcome()).isEqualTo(new Outcome.Success(200, false));
    }

    @Test
    void aBombIsCutAtTheLimitOfWhatItInflatesTo() throws IOException {
        byte[] bomb = gzip(new byte[50_000_000]);
        assertThat(bomb).hasSizeLessThan(BODY_LIMIT);
        RawServer server = server(turn -> turn.answer("200 OK", bomb, "Content-Encoding: gzip"));
        FetchResult fetchResult = fetch(server.url("/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, true));
        assertThat(fetchResult.body().length()).isEqualTo(BODY_LIMIT);
    }

    @Test
    void aCodedBodyArrivesInflated() throws IOException {
        RawServer server = server(
                turn -> turn.answer("200 OK", gzip("hello".getBytes(US_ASCII)), "Content-Encoding: gzip"));
        assertThat(text(fetch(server.url("/")))).isEqualTo("hello");
    }

    @Test
    void aBrokenCodingIsAProtocolFailureWithTheHeadersThatCame() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "this is not gzip", "Content-Encoding: gzip"));
        FetchResult fetchResult = fetch(server.url("/"));
        assertFailure(fetchResult, FailureReason.PROTOCOL, "gzip");
        assertThat(fetchResult.headers()).containsEntry("content-encoding", "gzip");
    }

    @Test
    void closingEndsWhatIsInFlight() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        RawServer server = server(_ -> {
            asked.countDown();
            pause(over, 20_000);
        });
        HttpFetcher closing = HttpFetcher.open(
                settings(Map.of("trawl.downloader.response-timeout", "20s", "trawl.downloader.total-timeout", "20s")),
                NameService.system(), BodyMemory.of(64 << 20, 64, Time.system()), Time.system());
        var future = closing.fetch(request(server.url("/"), io.trawl.model.FetchOptions.NONE), PROFILE, () -> true);
        asked.await();
        closing.close();
        assertThat(future.get(TestTimeouts.LIMIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS).outcome())
                .isInstanceOf(Outcome.Failure.class);
        over.countDown();
        assertThat(closing.fetch(request(server.url("/"), io.trawl.model.FetchOptions.NONE), PROFILE, () -> true)
                .get(TestTimeouts.LIMIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS).outcome())
                .isInstanceOf(Outcome.Failure.class);
    }

    @Test
    void aSitemapThatIsNotCompressedIsCompressedWhileItIsReceivedAndMayBeLargerThanABody() throws IOException {
        byte[] sitemap = "<url><loc>http://example.org/a</loc></url>".repeat(20_000).getBytes(US_ASCII);
        RawServer server = server(turn -> turn.answer("200 OK", sitemap, "Content-Type: text/xml"));
        FetchResult fetched = fetch(request(server.url("/"), FetchOptions.ofSource(FetchOptions.SITEMAP)));
        assertThat(fetched.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(fetched.body().length()).isLessThan(BODY_LIMIT);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(fetched.body().bytes())).readAllBytes())
                .isEqualTo(sitemap);
    }

    @Test
    void aSitemapIsCutAtTheBodyLimitInItsCompressedForm() throws IOException {
        byte[] random = new byte[3 * BODY_LIMIT];
        new Random(1).nextBytes(random);
        RawServer server = server(turn -> turn.answer("200 OK", random, "Content-Type: text/xml"));
        FetchResult fetched = fetch(request(server.url("/"), FetchOptions.ofSource(FetchOptions.SITEMAP)));
        assertThat(fetched.outcome()).isEqualTo(new Outcome.Success(200, true));
        assertThat(fetched.body().length()).isBetween(BODY_LIMIT / 2, BODY_LIMIT);
    }

    /** So that 50 MB fit into a record; the analyzer decompresses it. */
    @Test
    void aSitemapStaysCompressed() throws IOException {
        byte[] compressed = gzip(new byte[1_000_000]);
        RawServer server = server(turn -> turn.answer("200 OK", compressed, "Content-Encoding: gzip"));
        FetchResult fetchResult = fetch(request(server.url("/"), FetchOptions.ofSource(FetchOptions.SITEMAP)));
        assertThat(fetchResult.body().bytes()).isEqualTo(compressed);
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads().getFirst()).contains("Accept-Encoding: gzip\r\n");
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }
}
