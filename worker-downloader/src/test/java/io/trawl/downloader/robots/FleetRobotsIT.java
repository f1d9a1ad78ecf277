package io.trawl.downloader.robots;

import static io.trawl.downloader.robots.CachedRobotsTest.allows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.http.RawServer;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.HostKey;
import io.trawl.model.ProductToken;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The caches of two processes on one real Redis, and a real site. */
class FleetRobotsIT {
    private static final FetchProfile PROFILE = new FetchProfile("Trawl/0.1");
    private final KafkaFixture fixture = new KafkaFixture();
    private final RedisStore store = RedisStore.connect(RedisServers.of(fixture.settings().redis()),
            fixture.topics().namespace(), "cluster", "topic", Time.system());
    private volatile RawServer.Script script = turn -> turn.answer("200 OK", "User-agent: *\nDisallow: /secret\n");
    private RawServer site;
    private HttpFetcher fetcher;
    private HostKey host;

    @BeforeEach
    void start() throws IOException {
        site = new RawServer(turn -> script.answer(turn));
        host = new HostKey("127.0.0.1:" + site.port());
        fetcher = HttpFetcher.open(SettingsReader.from(Map.of("trawl.allow-network", "127.0.0.1")),
                NameService.system(), BodyMemory.of(64 << 20, 64, Time.system()), Time.system());
    }

    @AfterEach
    void stop() throws IOException {
        fetcher.close();
        site.close();
        store.close();
    }

    private CachedRobots process(RobotsStore fleet) {
        return new CachedRobots(fetcher.web(), fleet, Duration.ofHours(24), Time.system());
    }

    private RobotsRules load(RobotsSource robots, HostKey key) {
        return lookUp(robots, key).rules();
    }

    private LoadedRobots lookUp(RobotsSource robots, HostKey key) {
        return robots.load(key, "http", PROFILE, () -> true).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private void awaitKept(HostKey key) {
        await().until(() -> store.robots().find(key, ProductToken.of(PROFILE.userAgent())).isPresent());
    }

    @Test
    void aFileThatOneProcessHasFetchedNoOtherFetches() {
        assertThat(lookUp(process(store.robots()), host).hostAsked()).isTrue();
        awaitKept(host);
        CachedRobots second = process(store.robots());
        LoadedRobots found = lookUp(second, host);
        assertThat(found.hostAsked()).isFalse();
        RobotsRules rules = found.rules();
        assertThat(allows(rules, site.url("/secret"))).isFalse();
        assertThat(allows(rules, site.url("/open"))).isTrue();
        assertThat(second.cached(host, PROFILE.userAgent())).containsSame(rules);
        assertThat(site.heads()).hasSize(1);
    }

    @Test
    void anotherCrawlerLoadsTheFileForItself() {
        CachedRobots robots = process(store.robots());
        load(robots, host);
        awaitKept(host);
        robots.load(host, "http", new FetchProfile("Other/1"), () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(site.heads()).hasSize(2);
    }

    @Test
    void aHostThatRedirectsItsFileIsNotAskedAgainEither() throws IOException {
        try (RawServer other = new RawServer(
                turn -> turn.answer("301 Moved", "", "Location: " + site.url("/robots.txt")))) {
            HostKey from = new HostKey("127.0.0.1:" + other.port());
            load(process(store.robots()), from);
            awaitKept(from);
            awaitKept(host);
            CachedRobots second = process(store.robots());
            assertThat(allows(load(second, from), other.url("/secret"))).isFalse();
            assertThat(allows(load(second, host), site.url("/secret"))).isFalse();
            assertThat(other.heads()).hasSize(1);
            assertThat(site.heads()).hasSize(1);
        }
    }

    @Test
    void aFailureIsSharedButARetryAsksTheSite() {
        script = turn -> turn.answer("503 Busy", "");
        load(process(store.robots()), host);
        awaitKept(host);
        assertThat(store.robots().find(host, "trawl").orElseThrow().left())
                .isLessThanOrEqualTo(CachedRobots.UNREACHABLE_KEPT);
        CachedRobots second = process(store.robots());
        LoadedRobots failure = lookUp(second, host);
        assertThat(failure.rules().unreachable()).isTrue();
        assertThat(failure.hostAsked()).isFalse();
        assertThat(site.heads()).hasSize(1);
        script = turn -> turn.answer("200 OK", "");
        LoadedRobots retry = lookUp(second, host);
        assertThat(retry.rules().unreachable()).isFalse();
        assertThat(retry.hostAsked()).isTrue();
        assertThat(site.heads()).hasSize(2);
        await().until(() -> store.robots().find(host, "trawl")
                .filter(storedRobots -> storedRobots.answer() instanceof RobotsAnswer.File).isPresent());
    }

    /** An unavailable Redis: the exception of the port, which {@code RedisStoreIT} shows, without its half minute. */
    @Test
    void withoutRedisTheSiteIsAskedAndRedisIsNotUsedForAWhile() {
        AtomicInteger calls = new AtomicInteger();
        CachedRobots robots = process(new RobotsStore() {
            @Override
            public Optional<StoredRobots> find(HostKey key, String token) {
                calls.incrementAndGet();
                throw new LedgerUnavailableException("away", new IOException());
            }

            @Override
            public void keep(HostKey key, String token, RobotsAnswer answer, Duration believed) {
                calls.incrementAndGet();
                throw new LedgerUnavailableException("away", new IOException());
            }
        });
        assertThat(allows(load(robots, host), site.url("/secret"))).isFalse();
        for (int i = 0; i < 20; i++) {
            robots.load(host, "http", new FetchProfile("Other" + i + "/1"), () -> true)
                    .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        }
        assertThat(site.heads()).hasSize(21);
        assertThat(calls).hasValue(1);
    }

    @Test
    void aRedisThatDoesNotAnswerDelaysNoHostForLong() {
        CompletableFuture<Void> never = new CompletableFuture<>();
        CachedRobots robots = process(new RobotsStore() {
            @Override
            public Optional<StoredRobots> find(HostKey key, String token) {
                never.join();
                return Optional.empty();
            }

            @Override
            public void keep(HostKey key, String token, RobotsAnswer answer, Duration believed) {
                never.join();
            }
        });
        assertThat(allows(load(robots, host), site.url("/secret"))).isFalse();
        assertThat(site.heads()).hasSize(1);
        never.complete(null);
    }
}
