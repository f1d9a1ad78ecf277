package io.trawl.downloader.robots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.name.NameService;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.http.FetchRequest;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.http.RawServer;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.ManualTime;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real server on loopback, with a manual clock for the validity of rules. */
class CachedRobotsTest {
    private static final String AGENT = "Trawl/0.1 (+https://crawler.example)";
    private static final FetchProfile PROFILE = new FetchProfile(AGENT);
    private static final Duration TTL = Duration.ofHours(24);
    private final ManualTime time = ManualTime.flowing();
    private final Map<String, RawServer.Script> paths = new ConcurrentHashMap<>();
    private RawServer server;
    private HttpFetcher fetcher;
    private CachedRobots robots;
    private HostKey host;

    @BeforeEach
    void start() throws IOException {
        server = new RawServer(
                turn -> paths.getOrDefault(turn.path(), t -> t.answer("404 Not Found", "")).answer(turn));
        fetcher = HttpFetcher.open(
                SettingsReader
                        .from(Map.of("trawl.allow-network", "127.0.0.1", "trawl.downloader.response-timeout", "5s")),
                NameService.system(), BodyMemory.of(64 << 20, 64, Time.system()), Time.system());
        robots = new CachedRobots(fetcher.web(), new EmptyRobotsStore(), TTL, time);
        host = new HostKey("127.0.0.1:" + server.port());
    }

    @AfterEach
    void stop() throws IOException {
        fetcher.close();
        server.close();
    }

    static boolean allows(RobotsRules rules, String url) {
        return rules.check(url, RobotsRules.MOST_STEPS) == RobotsVerdict.ALLOWED;
    }

    private RobotsRules load() {
        return load(host);
    }

    private RobotsRules load(HostKey key) {
        return robots.load(key, "http", PROFILE, () -> true).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join().rules();
    }

    private void on(String path, RawServer.Script script) {
        paths.put(path, script);
    }

    private void forget(Duration passed) {
        time.advance(passed);
    }

    @Test
    void aFileIsFetchedOnceAndCachedForItsTimeToLive() {
        on("/robots.txt", turn -> turn.answer("200 OK", "User-agent: trawl\nDisallow: /secret\nCrawl-delay: 3\n",
                "Content-Type: text/plain"));
        assertThat(robots.cached(host, AGENT)).isEmpty();
        RobotsRules rules = load();
        assertThat(allows(rules, server.url("/secret/x"))).isFalse();
        assertThat(allows(rules, server.url("/open"))).isTrue();
        assertThat(rules.crawlDelay()).contains(Duration.ofSeconds(3));
        assertThat(rules.unreachable()).isFalse();
        assertThat(robots.cached(host, AGENT)).containsSame(rules);
        assertThat(server.heads()).hasSize(1);
        assertThat(server.heads().getFirst()).startsWith("GET /robots.txt HTTP/1.1").contains("User-Agent: " + AGENT);
        forget(TTL.minusSeconds(1));
        assertThat(robots.cached(host, AGENT)).isPresent();
        forget(Duration.ofSeconds(1));
        assertThat(robots.cached(host, AGENT)).isEmpty();
    }

    @Test
    void eachCrawlerHasItsOwnRules() {
        on("/robots.txt", turn -> turn.answer("200 OK", "User-agent: trawl\nDisallow: /\n"));
        load();
        assertThat(robots.cached(host, "Other/1")).isEmpty();
        assertThat(robots.cached(host, "Trawl/9.9")).isPresent();
        assertThat(allows(robots.load(host, "http", new FetchProfile("Other/1"), () -> true).join().rules(),
                server.url("/"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"400 Bad", "401 Unauthorized", "403 Forbidden", "404 Not Found", "410 Gone", "451 Law",
            "499 Odd"})
    void withoutAFileEverythingIsAllowed(String status) {
        on("/robots.txt", turn -> turn.answer(status, ""));
        assertThat(allows(load(), server.url("/x"))).isTrue();
        forget(Duration.ofHours(23));
        assertThat(robots.cached(host, AGENT)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"500 Oops", "502 Bad", "503 Busy", "599 Odd", "429 Slow", "304 Not Modified",
            "301 To Nowhere"})
    void whileTheFileIsUnreachableNothingIsAllowedForAFewMinutes(String status) {
        on("/robots.txt", turn -> turn.answer(status, ""));
        RobotsRules rules = load();
        assertThat(allows(rules, server.url("/x"))).isFalse();
        assertThat(rules.unreachable()).isTrue();
        assertThat(rules.trouble().map(FetchResult::outcome))
                .contains(new Outcome.HttpError(Integer.parseInt(status.substring(0, 3))));
        assertThat(server.heads()).hasSize(1);
        forget(CachedRobots.UNREACHABLE_KEPT.minusSeconds(1));
        assertThat(robots.cached(host, AGENT)).isPresent();
        forget(Duration.ofSeconds(1));
        assertThat(robots.cached(host, AGENT)).isEmpty();
    }

    @Test
    void theFileOfAHostWithoutConnectionIsUnreachable() throws IOException {
        server.close();
        RobotsRules rules = load();
        assertThat(rules.unreachable()).isTrue();
        assertThat(rules.trouble().orElseThrow().outcome()).isInstanceOf(Outcome.Failure.class);
    }

    @Test
    void aLongerRetryAfterHolds() {
        on("/robots.txt", turn -> turn.answer("503 Busy", "", "Retry-After: 3600"));
        load();
        forget(Duration.ofMinutes(59));
        assertThat(robots.cached(host, AGENT)).isPresent();
        forget(Duration.ofMinutes(1));
        assertThat(robots.cached(host, AGENT)).isEmpty();
    }

    @Test
    void knownRulesOutliveAnOutage() {
        on("/robots.txt", turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n"));
        load();
        forget(TTL);
        on("/robots.txt", turn -> turn.answer("503 Busy", ""));
        RobotsRules rules = load();
        assertThat(rules.unreachable()).isFalse();
        assertThat(allows(rules, server.url("/open"))).isTrue();
        assertThat(allows(rules, server.url("/secret"))).isFalse();
        forget(CachedRobots.UNREACHABLE_KEPT);
        assertThat(robots.cached(host, AGENT)).isEmpty();
    }

    @Test
    void fiveRedirectsAreFollowedAndTheirLastFileCountsForTheHost() {
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: /1"));
        for (int i = 1; i < 5; i++) {
            String next = "/" + (i + 1);
            on("/" + i, turn -> turn.answer("302 Moved", "",
                    "Location: " + (next.equals("/5") ? "http://127.0.0.1:" + server.port() + "/5" : next)));
        }
        on("/5", turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n"));
        RobotsRules rules = load();
        assertThat(allows(rules, server.url("/secret"))).isFalse();
        assertThat(server.heads()).hasSize(6);
        on("/5", turn -> turn.answer("302 Moved", "", "Location: /6"));
        on("/6", turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n"));
        assertThat(allows(load(), server.url("/secret"))).isTrue();
        assertThat(server.heads()).hasSize(12);
    }

    @Test
    void manyHostsThatRedirectToOneFileLoadItOnce() throws IOException {
        CountDownLatch allSent = new CountDownLatch(8);
        on("/robots.txt", turn -> {
            await(allSent);
            turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n");
        });
        List<RawServer> others = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                others.add(new RawServer(turn -> {
                    turn.answer("301 Moved", "", "Location: " + server.url("/robots.txt"));
                    allSent.countDown();
                }));
            }
            List<CompletableFuture<LoadedRobots>> loads = others.stream()
                    .map(other -> robots.load(new HostKey("127.0.0.1:" + other.port()), "http", PROFILE, () -> true))
                    .toList();
            assertThat(loads).allSatisfy(load -> assertThat(
                    allows(load.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join().rules(),
                            server.url("/secret")))
                    .isFalse());
            assertThat(server.heads()).hasSize(1);
            assertThat(robots.cached(host, AGENT)).as("it is the file of that host").isPresent();
        } finally {
            for (RawServer other : others) {
                other.close();
            }
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("the others have not come");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aKnownFileOfTheTargetOfARedirectIsNotLoadedAgain() throws IOException {
        on("/robots.txt", turn -> turn.answer("503 Busy", ""));
        load();
        try (RawServer other = new RawServer(
                turn -> turn.answer("301 Moved", "", "Location: " + server.url("/robots.txt")))) {
            assertThat(load(new HostKey("127.0.0.1:" + other.port())).unreachable()).isTrue();
            assertThat(server.heads()).hasSize(1);
            on("/robots.txt", turn -> turn.answer("200 OK", ""));
            forget(Duration.ofSeconds(1));
            assertThat(load(new HostKey("127.0.0.1:" + other.port())).unreachable()).as("retried").isFalse();
            forget(Duration.ofHours(1));
            load(new HostKey("127.0.0.1:" + other.port()));
            assertThat(server.heads()).hasSize(2);
        }
    }

    @Test
    void theFileIsLoadedThroughTheProxyOfThePages() throws IOException {
        try (RawServer proxy = new RawServer(turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n"))) {
            FetchProfile profile = FetchProfile.of(
                    CrawlDefinition.FetchRules.DEFAULT.with(
                            fetch -> fetch.userAgent(AGENT).proxy(Optional.of("http://127.0.0.1:" + proxy.port()))),
                    new CrawlVariables(Map.of()));
            HostKey far = new HostKey("known.to.proxy.only:8080");
            RobotsRules rules = robots.load(far, "http", profile, () -> true)
                    .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join().rules();
            assertThat(allows(rules, "http://known.to.proxy.only:8080/secret")).isFalse();
            assertThat(proxy.heads()).singleElement().asString()
                    .startsWith("GET http://known.to.proxy.only:8080/robots.txt ");
        }
    }

    @Test
    void redirectsToOneTargetAreADelayApartFromAnyHost() throws IOException {
        List<Long> hops = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 4; i++) {
            on("/" + i + ".txt", turn -> {
                hops.add(time.nanos());
                turn.answer("200 OK", "");
            });
        }
        List<RawServer> others = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                String target = server.url("/" + i + ".txt");
                others.add(new RawServer(turn -> turn.answer("301 Moved", "", "Location: " + target)));
            }
            List<CompletableFuture<LoadedRobots>> loads = others.stream()
                    .map(other -> robots.load(new HostKey("127.0.0.1:" + other.port()), "http", PROFILE, () -> true))
                    .toList();
            loads.forEach(load -> load.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join());
            assertThat(hops).hasSize(4);
            for (int i = 1; i < 4; i++) {
                assertThat(hops.get(i) - hops.get(i - 1)).isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
            }
        } finally {
            for (RawServer other : others) {
                other.close();
            }
        }
    }

    @Test
    void filesThatRedirectToEachOtherCountAsNoFile() throws IOException {
        try (RawServer other = new RawServer(
                turn -> turn.answer("301 Moved", "", "Location: " + server.url("/robots.txt")))) {
            on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: " + other.url("/robots.txt")));
            assertThat(allows(load(), server.url("/x"))).isTrue();
            assertThat(server.heads().size() + other.heads().size()).isEqualTo(6);
            assertThat(robots.cached(new HostKey("127.0.0.1:" + other.port()), AGENT)).as("unknown").isEmpty();
        }
    }

    @Test
    void aRedirectToAClosedAddressAllowsNothing() {
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: http://10.0.0.1/robots.txt"));
        RobotsRules rules = load();
        assertThat(rules.unreachable()).isTrue();
        assertThat(allows(rules, server.url("/x"))).isFalse();
        assertThat(rules.trouble().orElseThrow().outcome()).as("this host is not refused")
                .isInstanceOf(Outcome.Failure.class);
        assertThat(server.heads()).hasSize(1);
    }

    @Test
    void aRedirectToAnAddressThatIsKnownToBeClosedAllowsNothingEither() {
        Outcome closed = load(new HostKey("10.0.0.1:80")).trouble().orElseThrow().outcome();
        assertThat(closed).isInstanceOfSatisfying(Outcome.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.ADDRESS));
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: http://10.0.0.1/robots.txt"));
        assertThat(load().trouble().orElseThrow().outcome()).isInstanceOf(Outcome.Failure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://example.org/robots.txt", "http://[broken", "javascript:alert(1)",
            "http://exa mple.org/", "https://"})
    void aRedirectToWhatIsNoUrlOfTheWebAllowsNothing(String location) {
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: " + location));
        RobotsRules rules = load();
        assertThat(rules.unreachable()).isTrue();
        assertThat(allows(rules, server.url("/x"))).isFalse();
        assertThat(server.heads()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rules|{all}.txt", "\\rules|{all}.txt", "/a b/../rules%7c{all}.txt#part",
            "HTTP:rules|{all}.txt"})
    void aRedirectIsReadAsBrowsersReadIt(String location) {
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: " + location));
        on("/rules%7C%7Ball%7D.txt", turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n"));
        RobotsRules rules = load();
        assertThat(allows(rules, server.url("/secret"))).isFalse();
        assertThat(allows(rules, server.url("/open"))).isTrue();
    }

    @Test
    void aRedirectToAServerThatCannotBeReachedAllowsNothing() throws IOException {
        RawServer gone = new RawServer(turn -> turn.answer("200 OK", ""));
        gone.close();
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: " + gone.url("/robots.txt")));
        RobotsRules rules = load();
        assertThat(rules.unreachable()).isTrue();
        assertThat(allows(rules, server.url("/x"))).isFalse();
    }

    @Test
    void aRedirectToAMissingFileIsUnavailableSoEverythingIsAllowed() {
        on("/robots.txt", turn -> turn.answer("301 Moved", "", "Location: /missing.txt"));
        RobotsRules rules = load();
        assertThat(rules.unreachable()).isFalse();
        assertThat(allows(rules, server.url("/x"))).isTrue();
    }

    @Test
    void aLargeFileIsParsedAndMatchedInTheOrderOfTheUrls() {
        String rules = IntStream.range(0, 40_000).mapToObj(i -> "Disallow:/*!%x\n".formatted(i))
                .collect(Collectors.joining());
        on("/robots.txt", turn -> turn.answer("200 OK", "User-agent: *\n" + rules, "Content-Type: text/plain"));
        List<String> urls = List.of(server.url("/page"), server.url("/page!9c3f"), server.url("/" + "!0".repeat(500)));
        assertThat(robots.check(load(), urls).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join())
                .containsExactly(RobotsVerdict.ALLOWED, RobotsVerdict.FORBIDDEN, RobotsVerdict.TOO_COSTLY);
    }

    @Test
    void anEndlessFileIsReadToTheLimit() {
        on("/robots.txt", turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /secret\n");
            while (true) {
                turn.write("# and so on and so on and so on and so on\n".repeat(100).getBytes(UTF_8));
            }
        });
        assertThat(allows(load(), server.url("/secret"))).isFalse();
    }

    @Test
    void theFileOfTheHostIsLoadedUpToTheSizeThatTheStandardDemands() {
        var asked = new java.util.ArrayList<FetchRequest>();
        var source = new CachedRobots((fetchRequest, fetchPermit) -> {
            asked.add(fetchRequest);
            return fetcher.web().send(new FetchRequest(server.url("/robots.txt"), fetchRequest.headers(),
                    fetchRequest.proxies(), fetchRequest.bodyLimit()), fetchPermit);
        }, new EmptyRobotsStore(), TTL, time);
        source.load(new HostKey("example.org:443"), "https", PROFILE, () -> true).join();
        assertThat(asked.getFirst().url()).isEqualTo("https://example.org/robots.txt");
        assertThat(asked.getFirst().bodyLimit()).isGreaterThanOrEqualTo(500 * 1024);
    }
}
