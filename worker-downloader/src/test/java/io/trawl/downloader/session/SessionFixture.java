package io.trawl.downloader.session;

import io.trawl.downloader.fetch.name.NameService;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.url.CookieScope;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.response.BatchExecutor;
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.telemetry.Outage;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Real hosts that record the cookies that they receive, and downloaders that share a store. */
abstract class SessionFixture {
    static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    static final Settings SETTINGS = SettingsReader.from(Map.of("trawl.allow-network", "127.0.0.0/8"));
    static final FetchProfile KEEPING = profile(
            FetchRules.DEFAULT.with(fetch -> fetch.cookies(Optional.of(CookieScope.HOST)).delay(Duration.ZERO)));
    private static final RobotsStore NO_ROBOTS = new RobotsStore() {
        @Override
        public Optional<StoredRobots> find(HostKey server, String token) {
            return Optional.empty();
        }

        @Override
        public void keep(HostKey server, String token, RobotsAnswer answer, Duration believed) {
            // each asks itself
        }
    };
    final FakeWeb web = FakeWeb.start(2);
    final FakeHost host = web.host(0);
    final MapSessionStore store = new MapSessionStore();
    final List<String> received = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>(List.of(web));

    /** The first request of a host has the cookie n=1 set, the next one n=2. */
    SessionFixture() {
        for (FakeHost each : List.of(web.host(0), web.host(1))) {
            each.route("/", exchange -> {
                String cookie = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Cookie")).orElse("");
                received.add(cookie);
                int number = cookie.isEmpty() ? 0 : Integer.parseInt(cookie.replaceAll(".*n=", ""));
                exchange.getResponseHeaders().add("Set-Cookie", "n=" + (number + 1) + "; Path=/");
                byte[] page = "page".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
            });
        }
    }

    static FetchProfile profile(FetchRules rules) {
        return FetchProfile.of(rules, new CrawlVariables(Map.of("TRAWL_SECRET_P", "hush")));
    }

    <T extends AutoCloseable> T closing(T closeable) {
        open.add(closeable);
        return closeable;
    }

    @AfterEach
    void closeAll() throws Exception {
        store.open.countDown();
        for (AutoCloseable closeable : open.reversed()) {
            closeable.close();
        }
    }

    /** A downloader of its own. */
    final class Member {
        final HttpFetcher http = closing(HttpFetcher.open(SETTINGS, NameService.system(),
                BodyMemory.of(64 << 20, 64, Time.system()), Time.system()));
        final HostSessions sessions = HostSessions.open(store, Time.system(),
                work -> closing(new BatchExecutor<>("sessions", 10, work, new Outage("redis"), Time.system(),
                        Throwable::printStackTrace)));
        final SessionFetcher fetcher = new SessionFetcher(http, sessions,
                new FetchBounds(http, new CachedRobots(http.web(), NO_ROBOTS, Duration.ofHours(1), Time.system()),
                        new Politeness(0, Duration.ofMinutes(1)), BodyMemory.of(64 << 20, 64, Time.system()),
                        SETTINGS.downloader(), Time.system()));

        CompletableFuture<FetchResult> begin(CrawlRun run, FakeHost of, FetchProfile profile, FetchPermit permit) {
            return fetcher.fetch(request(run, of, "/"), profile, permit).orTimeout(TestTimeouts.LIMIT.toSeconds(),
                    TimeUnit.SECONDS);
        }

        CompletableFuture<FetchResult> begin(String path, FetchProfile profile, FetchPermit permit) {
            return fetcher.fetch(request(RUN, host, path), profile, permit).orTimeout(TestTimeouts.LIMIT.toSeconds(),
                    TimeUnit.SECONDS);
        }

        FetchResult fetch(FetchProfile profile, FetchPermit permit) {
            return begin(RUN, host, profile, permit).join();
        }
    }

    static Request request(CrawlRun run, FakeHost of, String path) {
        return RequestBuilder.builder().id(new RequestId(1)).run(run).url(of.url(path)).host(new HostKey(of.name()))
                .priority(1).seed(true).build();
    }
}
