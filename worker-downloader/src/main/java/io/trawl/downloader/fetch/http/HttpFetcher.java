package io.trawl.downloader.fetch.http;

import io.trawl.definition.RequestOptionRules;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.settings.Settings;
import io.trawl.scope.MediaTypeRules;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The {@link Fetcher} of a process: combines a request and its crawl's profile into one {@link FetchRequest}. */
public final class HttpFetcher implements Fetcher, AutoCloseable {
    private final PooledWebClient web;
    private final int bodyLimit;
    private final Time time;

    private HttpFetcher(PooledWebClient web, int bodyLimit, Time time) {
        this.web = web;
        this.bodyLimit = bodyLimit;
        this.time = time;
    }

    /**
     * Opens the connection pool, with the configured address guard.
     *
     * @param names is closed with this
     * @param memory for bodies
     * @throws io.trawl.model.InvalidValueException if an allowed network cannot be read
     */
    public static HttpFetcher open(Settings settings, NameService names, BodyMemory memory, Time time) {
        AddressGuard guard = AddressGuard.allowing(settings.allowNetwork().orElse(List.of()));
        return new HttpFetcher(
                PooledWebClient.open(settings.downloader(), new HostResolver(guard, names, time), memory, time),
                settings.downloader().bodyLimit(), time);
    }

    /** The same connections, address guard and limits, for robots.txt, which is not a request of a crawl. */
    public WebClient web() {
        return web;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        FetchOptions options = request.options();
        if (!RequestOptionRules.method(options.methodName())) {
            return failed("the method of a request is " + RequestOptionRules.METHOD);
        }
        Map<String, String> headers;
        try {
            headers = RequestHeaders.of(request.url(), options, profile);
        } catch (RequestHeaders.ForbiddenHeader e) {
            return failed(String.valueOf(e.getMessage()));
        }
        boolean conditional = profile.replay().isEmpty() && !profile.plain()
                && RequestHeaders.addValidators(request, profile.archived(), headers);
        CompletableFuture<FetchResult> answer = web.send(new FetchRequest(options.methodName(), request.url(), headers,
                options.body(), profile.through(request).proxies(), bodyLimit,
                !options.page() ? MediaTypeRules.ALL : profile.mediaTypes(), profile.timeouts(), options.source(),
                profile.session().cookies(), profile.archived()), fetchPermit);
        return conditional ? answer.thenApply(FetchResult::asked) : answer;
    }

    private CompletableFuture<FetchResult> failed(String cause) {
        return CompletableFuture.completedFuture(
                FetchResult.without(new Outcome.Failure(FailureReason.OTHER, cause), Duration.ZERO, time.now()));
    }

    /** The proxies that are taken out now because they fail, as {@code host:port}. */
    public List<String> restingProxies() {
        return web.restingProxies();
    }

    /**
     * The addresses to which a fetch of the host would connect, from the same cache. The future is already complete if
     * the name is known; it fails if there is no address, or none that may be connected to.
     */
    public CompletableFuture<List<InetAddress>> addresses(String host) {
        return web.addresses(host);
    }

    /** Whether {@link #addresses} would be complete at once, with addresses or without. Never blocks. */
    public boolean isKnown(String host) {
        return web.isKnown(host);
    }

    /**
     * Cuts all exchanges that began under this permit, which has ended; they complete as withdrawn before this returns.
     */
    public void cut(FetchPermit ended) {
        web.cut(ended);
    }

    /** Ends all exchanges at once (they complete as failures) and closes the connections. */
    @Override
    public void close() {
        web.close();
    }
}
