package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.fetch.custom.NamedFetchers;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.downloader.robots.EmptyRobotsStore;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.settings.Settings;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every fetcher guarantees, the built-in one and those that run as plug-ins. */
abstract class FetcherContract extends FetchFixture {
    /** A fetcher with the settings of the fixture and these. */
    abstract Fetcher open(Map<String, String> settings);

    /** The fetchers of a downloader, whose crawl has this profile. */
    record Chosen(NamedFetchers fetchers, FetchProfile profile) implements Fetcher {
        @Override
        public CompletableFuture<FetchResult> fetch(Request request, FetchProfile ignored, FetchPermit permit) {
            return fetchers.fetch(request, profile, permit);
        }
    }

    private static void cut(Fetcher fetcher, FetchPermit ended) {
        if (fetcher instanceof Chosen chosen) {
            chosen.fetchers.cut(ended);
        } else {
            ((HttpFetcher) fetcher).cut(ended);
        }
    }

    FetchBounds bounds(Map<String, String> settings) {
        HttpFetcher http = fetcher(settings);
        Settings all = settings(settings);
        BodyMemory memory = BodyMemory.of(64 << 20, 64, Time.system());
        return new FetchBounds(http,
                new CachedRobots(http.web(), new EmptyRobotsStore(), Duration.ofHours(1), Time.system()),
                new Politeness(1, Duration.ofMinutes(1)), memory, all.downloader(), Time.system());
    }

    private FetchResult get(Map<String, String> settings, RawServer server) {
        return fetchWith(open(settings), request(server.url("/"), FetchOptions.NONE));
    }

    @Test
    void aPageComesWithItsBodyAndIsAskedForWithTheHeadersOfTheRequest() throws IOException {
        RawServer server = server(
                turn -> turn.answer("200 OK", "<p>hello", "Content-Type: text/html", "X-Robots-Tag: noindex"));
        FetchResult fetchResult = fetchWith(open(Map.of()),
                request(server.url("/a?b=c"), options(Map.of("X-A", "b"), Optional.of("c=d"), Optional.empty())));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(text(fetchResult)).contains("<p>hello");
        assertThat(fetchResult.headers()).containsEntry("x-robots-tag", "noindex");
        assertThat(fetchResult.statusSeen()).isTrue();
        assertThat(server.heads()).hasSize(1);
        assertThat(server.heads().getFirst()).startsWith("GET /a?b=c HTTP/1.1\r\n").contains("X-A: b\r\n",
                "Cookie: c=d\r\n", "User-Agent: " + PROFILE.userAgent());
    }

    @Test
    void aRedirectIsAnAnswer() throws IOException {
        RawServer server = server(
                turn -> turn.answer("302 Found", "moved", "Location: ../b?c=d", "Content-Type: text/html"));
        assertThat(get(Map.of(), server).outcome()).isEqualTo(new Outcome.Redirect(302, "../b?c=d"));
        assertThat(server.heads()).hasSize(1);
    }

    @Test
    void anErrorKeepsItsStatusAndThePauseThatItAsksFor() throws IOException {
        RawServer server = server(turn -> turn.answer("503 No", "busy", "Retry-After: 7", "Content-Type: text/html"));
        FetchResult fetchResult = get(Map.of(), server);
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.HttpError(503));
        assertThat(fetchResult.retryAfter()).contains(Duration.ofSeconds(7));
        assertThat(fetchResult.body().length()).isZero();
    }

    @Test
    void anAddressThatIsNotAllowedIsNotAsked() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "hello", "Content-Type: text/html"));
        FetchResult fetchResult = get(Map.of("trawl.allow-network", "10.0.0.0/8"), server);
        assertThat(fetchResult.outcome()).isInstanceOfSatisfying(Outcome.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.ADDRESS));
        assertThat(server.connections()).isZero();
    }

    @Test
    void aBodyBeyondTheLimitIsCut() throws IOException {
        RawServer server = server(
                turn -> turn.answer("200 OK", "x".repeat(2 * BODY_LIMIT), "Content-Type: text/plain"));
        FetchResult fetchResult = get(Map.of(), server);
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, true));
        assertThat(fetchResult.body().length()).isEqualTo(BODY_LIMIT);
    }

    @Test
    void aBodyWithoutAnEndEndsWithTheTotalTimeOut() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
            while (true) {
                turn.write("x");
                java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
            }
        });
        FetchResult fetchResult = get(Map.of("trawl.downloader.total-timeout", "1s"), server);
        assertFailure(fetchResult, FailureReason.TIMEOUT);
        assertThat(fetchResult.statusSeen()).as("the server answers").isTrue();
    }

    @Test
    void aServerThatIsSilentIsATimeOut() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        RawServer server = server(turn -> pass(never));
        FetchResult fetchResult = get(RESPONSE_WITHIN_500_MS, server);
        never.countDown();
        assertFailure(fetchResult, FailureReason.TIMEOUT);
        assertThat(fetchResult.statusSeen()).isFalse();
    }

    @Test
    void withoutAPermitNoByteIsSent() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "hello", "Content-Type: text/html"));
        FetchResult fetchResult = open(Map.of())
                .fetch(request(server.url("/"), FetchOptions.NONE), PROFILE, () -> false)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(fetchResult.withdrawn()).isTrue();
        assertThat(server.heads()).isEmpty();
    }

    @Test
    void aPermitThatEndsCutsItsFetchesAndNoOthers() throws Exception {
        CountDownLatch arrived = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        Fetcher fetcher = open(
                Map.of("trawl.downloader.response-timeout", "20s", "trawl.downloader.total-timeout", "30s"));
        RawServer server = server(turn -> {
            arrived.countDown();
            pass(goOn);
            turn.answer("200 OK", "hello", "Content-Type: text/html");
        });
        FetchPermit ended = () -> true;
        FetchPermit other = () -> true;
        CompletableFuture<FetchResult> cut = fetcher.fetch(request(server.url("/"), FetchOptions.NONE), PROFILE, ended);
        CompletableFuture<FetchResult> kept = fetcher.fetch(request(server.url("/"), FetchOptions.NONE), PROFILE,
                other);
        assertThat(arrived.await(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        cut(fetcher, ended);
        assertThat(cut).as("at once").isDone();
        assertThat(cut.join().withdrawn()).isTrue();
        goOn.countDown();
        assertThat(kept.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join().outcome())
                .isEqualTo(new Outcome.Success(200, false));
    }

    static void pass(CountDownLatch gate) throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
