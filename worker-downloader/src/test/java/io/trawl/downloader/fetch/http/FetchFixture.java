package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fetcher that may connect to loopback, and servers for it. */
abstract class FetchFixture {
    static final int BODY_LIMIT = 100_000;
    /** For tests of silent servers. */
    static final Map<String, String> RESPONSE_WITHIN_500_MS = Map.of("trawl.downloader.response-timeout", "500ms");
    static final FetchProfile PROFILE = new FetchProfile("Trawl-Test/1.0 (+https://crawler.example)");
    private final List<AutoCloseable> open = new ArrayList<>();
    HttpFetcher fetcher;

    @BeforeEach
    void openFetcher() {
        fetcher = fetcher(Map.of());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open.reversed()) {
            closeable.close();
        }
    }

    HttpFetcher fetcher(Map<String, String> settings) {
        return closing(HttpFetcher.open(settings(settings), NameService.system(),
                BodyMemory.of(64 << 20, 64, Time.system()), Time.system()));
    }

    static Settings settings(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("trawl.allow-network", "127.0.0.0/8",
                "trawl.downloader.body-limit", Integer.toString(BODY_LIMIT), "trawl.downloader.connect-timeout", "20s",
                "trawl.downloader.response-timeout", "20s", "trawl.downloader.total-timeout", "20s"));
        all.putAll(settings);
        return SettingsReader.from(all);
    }

    <T extends AutoCloseable> T closing(T closeable) {
        open.add(closeable);
        return closeable;
    }

    RawServer server(RawServer.Script script) throws IOException {
        return closing(new RawServer(script));
    }

    FetchResult fetch(String url) {
        return fetch(request(url, FetchOptions.NONE));
    }

    FetchResult fetch(Request request) {
        return fetchWith(fetcher, request);
    }

    static FetchResult fetchWith(Fetcher fetcher, Request request) {
        return fetchWith(fetcher, request, PROFILE);
    }

    static FetchResult fetchWith(Fetcher fetcher, Request request, FetchProfile profile) {
        return fetcher.fetch(request, profile, () -> true).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    static Request request(String url, FetchOptions options) {
        return RequestBuilder.builder().id(new RequestId(1)).run(new CrawlRun(new CrawlId("test"), 1)).url(url)
                .host(new HostKey("host:80")).priority(1).seed(true).options(options).build();
    }

    static FetchOptions options(Map<String, String> headers, Optional<String> cookie, Optional<String> proxy) {
        return FetchOptions.NONE.with().headers(headers).cookie(cookie).proxy(proxy).build();
    }

    static FetchOptions sending(String method, String body, Map<String, String> headers) {
        return FetchOptions.NONE.with().headers(headers).method(Optional.of(method)).body(Optional.of(body)).build();
    }

    static String text(FetchResult fetchResult) {
        return new String(fetchResult.body().bytes(), java.nio.charset.StandardCharsets.UTF_8);
    }

    static void assertFailure(FetchResult fetchResult, FailureReason reason, String... words) {
        assertThat(fetchResult.outcome()).isInstanceOf(Outcome.Failure.class);
        Outcome.Failure failure = (Outcome.Failure) fetchResult.outcome();
        assertThat(failure.reason()).as(failure.cause()).isEqualTo(reason);
        assertThat(failure.cause()).isNotBlank().doesNotContain("Exception");
        assertThat(List.of(words)).allSatisfy(word -> assertThat(failure.cause()).contains(word));
        assertThat(fetchResult.body().length()).isZero();
    }
}
