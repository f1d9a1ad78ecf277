package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchTask;
import io.trawl.api.PageFetcher;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.custom.NamedFetchers;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.scope.MediaTypeRules;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A fetcher of a plug-in, which passes each request on, keeps the contract; and what it does besides is bound. */
class PluginFetcherTest extends FetcherContract {
    private static final FetchProfile CHOSEN = chosen("relay", Duration.ZERO);
    private final CountDownLatch released = new CountDownLatch(1);

    /** A fetcher of a test. */
    private record Scripted(String name, Script script) implements PageFetcher {
        @Override
        public FetchAnswer fetch(FetchTask task) throws Exception {
            return script.fetch(task);
        }

        @Override
        public int concurrency() {
            return 2;
        }
    }

    private interface Script {
        FetchAnswer fetch(FetchTask task) throws Exception;
    }

    private static FetchProfile chosen(String name, Duration delay) {
        return new FetchProfile(PROFILE.userAgent()).with().style(PROFILE.style()).delay(delay)
                .fetcher(Optional.of(name)).build();
    }

    private static FetchAnswer page(String text) {
        return new FetchAnswer(200, Map.of("Content-Type", "text/plain"), text.getBytes(StandardCharsets.UTF_8), false);
    }

    private NamedFetchers fetchers(Map<String, String> settings, Script script) {
        var bounds = bounds(settings);
        return closing(new NamedFetchers(bounds.http(), List.of(), List.of(new Scripted("relay", script)), bounds));
    }

    private FetchResult fetch(Script script, String url) {
        return fetchers(Map.of(), script).fetch(request(url, FetchOptions.NONE), CHOSEN, () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    Fetcher open(Map<String, String> settings) {
        return new Chosen(fetchers(settings, task -> task.get(task.url())), CHOSEN);
    }

    @Test
    void aRequestNamesItsFetcherElseItsCrawlElseItIsTheBuiltInOne() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "built-in"));
        NamedFetchers fetchers = fetchers(Map.of(), task -> page("relay"));
        FetchOptions named = FetchOptions.NONE.withFetcher(Optional.of("http"));
        assertThat(text(fetchers.fetch(request(server.url("/"), FetchOptions.NONE), CHOSEN, () -> true).join()))
                .isEqualTo("relay");
        assertThat(text(fetchers.fetch(request(server.url("/"), named), CHOSEN, () -> true).join()))
                .isEqualTo("built-in");
        assertThat(text(fetchWith(fetchers, request(server.url("/"), FetchOptions.NONE)))).isEqualTo("built-in");
        assertThat(fetchers.names()).containsExactly("http", "relay");
    }

    @Test
    void aPageOfAnotherMediaTypeThanTheCrawlTakesIsRefusedAndItsBodyIsNotReceived() throws IOException {
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n");
            byte[] endless = new byte[64 << 10];
            for (long sent = 0; sent < 1L << 34; sent += endless.length) {
                turn.write(endless);
            }
        });
        NamedFetchers fetchers = fetchers(Map.of(), task -> page("relay"));
        MediaTypeRules html = new MediaTypeRules(List.of("text/html"), List.of());
        FetchResult video = fetchers
                .fetch(request(server.url("/"), FetchOptions.NONE), PROFILE.withMediaTypes(html), () -> true).join();
        assertThat(video.outcome()).isEqualTo(new Outcome.Refused(RefusalReason.MEDIA_TYPE,
                "the media type video/mp4 is none of scope.mediaTypes.include",
                Optional.of("scope.mediaTypes.include")));
        assertThat(video.body().length()).isZero();
        assertThat(fetcher.fetch(request(server.url("/"), FetchOptions.NONE), PROFILE.withMediaTypes(html), () -> true)
                .join().body().length()).as("as it is received").isZero();
        FetchResult relayed = fetchers
                .fetch(request(server.url("/"), FetchOptions.NONE), CHOSEN.withMediaTypes(html), () -> true).join();
        assertThat(relayed.outcome()).as("by a plug-in").isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void aNameThatNoFetcherHasFailsTheRequestAndTheFailureSaysWhichThereAre() {
        FetchResult fetchResult = fetchers(Map.of(), task -> page("relay"))
                .fetch(request("http://127.0.0.1:1/", FetchOptions.NONE), chosen("opera", Duration.ZERO), () -> true)
                .join();
        assertFailure(fetchResult, FailureReason.OTHER, "no fetcher 'opera', only http, relay");
    }

    @Test
    void aFetcherOfAPlugInGetsNoRequestWithAnotherMethodThanGetAndTheFailureSaysSo() {
        FetchResult fetchResult = fetchers(Map.of(), task -> page("relay"))
                .fetch(request("http://127.0.0.1:1/", sending("POST", "q=1", Map.of())), CHOSEN, () -> true).join();
        assertFailure(fetchResult, FailureReason.OTHER, "the fetcher 'relay' sends GET only, not POST", "'http'");
    }

    @Test
    void aNameIsUniqueAndValid() {
        var bounds = bounds(Map.of());
        for (String name : List.of("http", "a b", "")) {
            assertThatThrownBy(() -> new NamedFetchers(bounds.http(), List.of(),
                    List.of(new Scripted(name, task -> page(""))), bounds)).as(name)
                    .isInstanceOf(InvalidValueException.class).hasMessageContaining("fetcher");
        }
    }

    @Test
    void theRequestsOfAPageKeepTheDelayOfTheHostOneAfterTheOther() throws Exception {
        List<Long> at = new CopyOnWriteArrayList<>();
        RawServer server = server(turn -> {
            at.add(System.nanoTime());
            turn.answer(turn.path().equals("/robots.txt") ? "404 No" : "200 OK", turn.path());
        });
        FetchResult fetchResult = fetchers(Map.of(), task -> {
            List<CompletableFuture<FetchAnswer>> all = new ArrayList<>();
            for (String path : List.of("/", "/a", "/b")) {
                CompletableFuture<FetchAnswer> answer = new CompletableFuture<>();
                all.add(answer);
                Thread.ofVirtual().start(() -> {
                    try {
                        answer.complete(task.get(server.url(path)));
                    } catch (IOException | InterruptedException e) {
                        answer.completeExceptionally(e);
                    }
                });
            }
            for (CompletableFuture<FetchAnswer> each : all) {
                each.get();
            }
            return page("done");
        }).fetch(request(server.url("/"), FetchOptions.NONE), chosen("relay", Duration.ofMillis(200)), () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(text(fetchResult)).isEqualTo("done");
        assertThat(at).as("three pages and robots.txt").hasSize(4);
        for (int i = 1; i < at.size(); i++) {
            assertThat(at.get(i) - at.get(i - 1)).isGreaterThanOrEqualTo(200_000_000L);
        }
    }

    @Test
    void aPageAsksNeitherAnotherServerNorWhatRobotsTxtForbids() throws IOException {
        RawServer other = server(turn -> turn.answer("200 OK", "other"));
        RawServer server = server(turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret"));
        FetchResult fetchResult = fetch(task -> {
            assertThatThrownBy(() -> task.get(other.url("/"))).hasMessageContaining("own server only");
            assertThatThrownBy(() -> task.get("file:///etc/passwd")).hasMessageContaining("own server only");
            assertThatThrownBy(() -> task.get(server.url("/secret/a"))).hasMessageContaining("robots.txt forbids");
            return task.get(server.url("/open"));
        }, server.url("/"));
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(server.heads()).extracting(head -> head.split(" ")[1]).containsExactly("/robots.txt", "/open");
        assertThat(other.connections()).isZero();
    }

    @Test
    void aPageSendsAHundredRequestsAtMostAndNoneAfterARefusal() throws IOException {
        RawServer server = server(turn -> turn.answer(turn.path().endsWith("busy") ? "429 No" : "200 OK", "x"));
        FetchResult fetchResult = fetch(task -> {
            for (int i = 0; i < 100; i++) {
                task.get(task.url());
            }
            return task.get(task.url());
        }, server.url("/"));
        assertFailure(fetchResult, FailureReason.OTHER, "100 requests at most");
        assertFailure(fetch(task -> {
            task.get(task.url());
            return task.get(task.url());
        }, server.url("/busy")), FailureReason.OTHER, "asked for a pause");
        assertThat(server.heads()).hasSize(101);
    }

    @Test
    void whatAPluginThrowsIsTheOutcome() {
        String url = "http://127.0.0.1:1/";
        assertFailure(fetch(task -> task.get(url), url), FailureReason.CONNECT, "127.0.0.1:1");
        assertFailure(fetch(task -> {
            throw new TimeoutException("it sleeps");
        }, url), FailureReason.TIMEOUT, "'relay'", "it sleeps");
        assertFailure(fetch(task -> {
            throw new IOException("no line");
        }, url), FailureReason.CONNECT, "no line");
        assertFailure(fetch(task -> {
            throw new NoClassDefFoundError("com/example/Lib");
        }, url), FailureReason.OTHER, "com/example/Lib");
        assertFailure(fetch(task -> new FetchAnswer(7, Map.of(), new byte[0], false), url), FailureReason.OTHER,
                "not 7");
        assertFailure(fetch(task -> new FetchAnswer(200, Map.of("a", "b".repeat(200_000)), new byte[0], false), url),
                FailureReason.TOO_LARGE, "headers");
    }

    @Test
    void aCallThatIgnoresItsTimeOutCostsItsPlaceOnly() throws Exception {
        NamedFetchers fetchers = fetchers(Map.of("trawl.downloader.total-timeout", "200ms"), task -> {
            while (released.getCount() > 0) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    // as a plug-in that ignores it
                }
            }
            return page("late");
        });
        var request = request("http://127.0.0.1:1/", FetchOptions.NONE);
        List<FetchResult> stuck = List
                .of(fetchers.fetch(request, CHOSEN, () -> true), fetchers.fetch(request, CHOSEN, () -> true)).stream()
                .map(each -> each.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join()).toList();
        assertThat(stuck).allSatisfy(each -> assertFailure(each, FailureReason.TIMEOUT, "200ms"));
        assertFailure(fetchers.fetch(request, CHOSEN, () -> true).get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS),
                FailureReason.OTHER, "all 2 calls");
        released.countDown();
        assertThat(text(awaitPage(fetchers))).isEqualTo("late");
    }

    private FetchResult awaitPage(NamedFetchers fetchers)
            throws InterruptedException, ExecutionException, TimeoutException {
        return fetchers.fetch(request("http://127.0.0.1:1/", FetchOptions.NONE), CHOSEN, () -> true)
                .get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
