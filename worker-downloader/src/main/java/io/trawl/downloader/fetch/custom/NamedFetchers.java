package io.trawl.downloader.fetch.custom;

import io.trawl.api.PageFetcher;
import io.trawl.downloader.fetch.ArchiveSource;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.browser.BrowserFetcher;
import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.http.AnswerCache;
import io.trawl.memory.HeapShares;
import io.trawl.model.FailureReason;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The fetchers of a downloader by their names: passes each request to the one that it names, or else its crawl, or else
 * to the built-in one; those of a crawl that replays an archive get their answers from there, and nothing is sent. A
 * name that no fetcher has fails the request, and the failure says which names there are. So does a method other than
 * GET, which only the built-in one sends. Thread-safe.
 */
public final class NamedFetchers implements Fetcher, AutoCloseable {
    /** The name of the built-in fetcher. */
    public static final String HTTP = "http";
    private static final String NAME = "[a-z0-9-]{1,64}";
    private final HttpFetcher http;
    private final Optional<Fetcher> archives;
    private final Map<String, PluginFetcher> others = new TreeMap<>();
    private final Time time;
    private Optional<AnswerCache> cache = Optional.empty();

    /** Those of plug-ins, and the browser if there is one. */
    public static NamedFetchers among(Plugins plugins, FetchBounds bounds) {
        Settings.DownloaderSettings settings = bounds.settings();
        Stream<PageFetcher> browser = settings.browser().stream().map(program -> new BrowserFetcher(program,
                settings.browserArguments().orElse(List.of()), settings.browserPages(), bounds.time()));
        return new NamedFetchers(bounds.http(), plugins.of(ArchiveSource.class),
                Stream.concat(plugins.of(PageFetcher.class).stream(), browser).toList(), bounds);
    }

    /**
     * @param sources of archives, of which the first one is asked
     * @throws InvalidValueException if two fetchers have the same name, or one has no valid name
     */
    public NamedFetchers(HttpFetcher http, List<ArchiveSource> sources, Iterable<PageFetcher> plugins,
            FetchBounds bounds) {
        this.http = http;
        this.time = bounds.time();
        this.archives = sources.stream().findFirst().map(
                source -> source.fetcher(bounds.settings().archives(), bounds.settings().bodyLimit(), bounds.time()));
        for (PageFetcher plugin : plugins) {
            AnswerCache kept = cache.orElseGet(() -> new AnswerCache(HeapShares.ofThisJvm().answers(), time));
            cache = Optional.of(kept);
            PluginFetcher fetcher = new PluginFetcher(plugin, bounds, kept);
            if (!plugin.name().matches(NAME)) {
                throw new InvalidValueException("fetcher", plugin.name(), "a name of 1 to 64 of a-z 0-9 -");
            }
            if (plugin.name().equals(HTTP) || others.putIfAbsent(plugin.name(), fetcher) != null) {
                throw new InvalidValueException("fetcher", plugin.name(), "a name that no other fetcher has");
            }
        }
    }

    /** The names, the built-in one first. */
    public List<String> names() {
        return Stream.concat(Stream.of(HTTP), others.keySet().stream()).toList();
    }

    /** The proxies that are taken out now because they fail, as {@code host:port}. */
    public List<String> restingProxies() {
        return http.restingProxies();
    }

    @Override
    public CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        return sent(request, profile, fetchPermit).thenApply(fetched -> fetched.of(profile.mediaTypes()));
    }

    private CompletableFuture<FetchResult> sent(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        if (profile.replay().isPresent()) {
            return archives.map(fetcher -> fetcher.fetch(request, profile, fetchPermit))
                    .orElseGet(() -> failed("this downloader has no part that reads archives"));
        }
        String name = request.options().fetcher().or(profile::fetcher).orElse(HTTP);
        if (name.equals(HTTP)) {
            return http.fetch(request, profile, fetchPermit);
        }
        if (request.options().method().isPresent()) {
            return failed("the fetcher '" + name + "' sends GET only, not " + request.options().methodName()
                    + ": give the request the fetcher '" + HTTP + "'");
        }
        return Optional.ofNullable(others.get(name)).map(fetcher -> fetcher.fetch(request, profile, fetchPermit))
                .orElseGet(() -> failed(
                        "this downloader has no fetcher '" + name + "', only " + String.join(", ", names())));
    }

    private CompletableFuture<FetchResult> failed(String cause) {
        return CompletableFuture.completedFuture(
                FetchResult.without(new Outcome.Failure(FailureReason.OTHER, cause), Duration.ZERO, time.now()));
    }

    /**
     * Cuts all fetches that began under this permit, which has ended; they complete as withdrawn before this returns.
     */
    public void cut(FetchPermit ended) {
        http.cut(ended);
        others.values().forEach(fetcher -> fetcher.cut(ended));
    }

    /** Ends all fetches, the fetchers of plug-ins, and the connections. */
    @Override
    public void close() {
        others.values().forEach(PluginFetcher::close);
        cache.ifPresent(AnswerCache::close);
        http.close();
    }
}
