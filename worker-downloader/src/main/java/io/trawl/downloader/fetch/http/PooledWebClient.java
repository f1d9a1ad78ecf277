package io.trawl.downloader.fetch.http;

import io.trawl.definition.ProxyAddress;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.http.Exchange.Peer;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The {@link WebClient} over one connection pool, with HTTP/1.1 and, if it is turned on and a server offers it in the
 * TLS handshake, HTTP/2. Name lookup, guard, connection, exchange and inflation run on threads where they block no
 * other exchange; one timer enforces the total time-out.
 */
final class PooledWebClient implements WebClient, AutoCloseable {
    private static final Set<String> EXPECT_CONTENT = Set.of("POST", "PUT", "PATCH");
    private static final Outcome CLOSING = new Outcome.Failure(FailureReason.OTHER, "the downloader is closing");
    /** Between two looks at an exchange that waits for memory, in nanoseconds. */
    private static final long FINEST = TimeUnit.MILLISECONDS.toNanos(10);

    private final Settings.DownloaderSettings settings;
    private final HostResolver addresses;
    private final BodyMemory memory;
    private final Time time;
    private final CloseableHttpAsyncClient client;
    private final RequestConfig direct;
    private final RestingProxies restingProxies;
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService inflaters;
    private final Set<Exchange> open = ConcurrentHashMap.newKeySet();

    PooledWebClient(Settings.DownloaderSettings settings, HostResolver addresses, SSLContext tls, BodyMemory memory,
            Time time) {
        this.settings = settings;
        this.addresses = addresses;
        this.memory = memory;
        this.time = time;
        this.direct = HttpClientFactory.requests(settings);
        this.restingProxies = new RestingProxies(time);
        this.client = HttpClientFactory.client(settings, addresses, tls, time);
        this.timer = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("fetch-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        this.inflaters = Executors.newFixedThreadPool(memory.decoders(settings.bodyLimit()),
                Thread.ofPlatform().daemon().name("inflate-", 0).factory());
        client.start();
    }

    static PooledWebClient open(Settings.DownloaderSettings settings, HostResolver addresses, BodyMemory memory,
            Time time) {
        return new PooledWebClient(settings, addresses, SSLContexts.createDefault(), memory, time);
    }

    @Override
    public CompletableFuture<FetchResult> send(FetchRequest fetchRequest, FetchPermit fetchPermit) {
        Optional<RequestTarget> requestTarget = RequestTarget.of(fetchRequest.url());
        if (requestTarget.isEmpty()) {
            return refused(new Outcome.Refused(RefusalReason.BAD_URL,
                    "not an absolute http or https URL: " + fetchRequest.url()));
        }
        if (fetchRequest.proxies().isEmpty()) {
            return begin(fetchRequest, requestTarget.get(), Optional.empty(), fetchPermit).result();
        }
        List<ProxyAddress> proxies = fetchRequest.proxies().stream().filter(ProxyAddress::usable).toList();
        if (proxies.isEmpty()) {
            return refused(new Outcome.Failure(FailureReason.OTHER,
                    "the proxy is not of the form http://host:port, or refers to a variable that is not set in the environment"
                            + " of this downloader"));
        }
        return new ProxiedFetch(fetchRequest, proxies, fetchRequest.timeouts().total(settings.totalTimeout()),
                restingProxies, time,
                (within, proxy) -> begin(within, requestTarget.get(), Optional.of(proxy), fetchPermit)).result();
    }

    /** The proxies that are taken out now. */
    List<String> restingProxies() {
        return restingProxies.names();
    }

    private CompletableFuture<FetchResult> refused(Outcome outcome) {
        return CompletableFuture.completedFuture(FetchResult.without(outcome, Duration.ZERO, time.now()));
    }

    private Exchange begin(FetchRequest fetchRequest, RequestTarget requestTarget, Optional<ProxyAddress> proxy,
            FetchPermit fetchPermit) {
        HttpHost host = new HttpHost(requestTarget.scheme(), requestTarget.host(), requestTarget.port());
        Duration silence = fetchRequest.timeouts().response(settings.responseTimeout());
        RequestConfig config = RequestConfig.copy(direct).setResponseTimeout(timeout(silence))
                .setProxy(proxy.map(p -> new HttpHost("http", p.host(), p.port())).orElse(null)).build();
        Optional<String> authorization = proxy.flatMap(ProxyAddress::authorization);
        boolean tls = requestTarget.scheme().equals("https");
        Exchange exchange = new Exchange(fetchRequest,
                new Peer(requestTarget.shown(), proxy.map(ProxyAddress::toString), tls), silence,
                (consumer, context, callback) -> {
                    context.setRequestConfig(config);
                    BasicHttpRequest request = request(fetchRequest, requestTarget, host);
                    authorization.ifPresent(value -> {
                        if (tls) {
                            ProxyTunnel.authorize(context, value);
                        } else {
                            request.addHeader(HttpHeaders.PROXY_AUTHORIZATION, value);
                        }
                    });
                    return client.execute(host, new BasicRequestProducer(request, content(fetchRequest)), consumer,
                            null, context, callback);
                }, fetchPermit, memory.claim(), inflaters, time);
        try {
            open.add(exchange);
            exchange.result().whenComplete((_, _) -> open.remove(exchange));
            schedule(exchange, fetchRequest.timeouts().total(settings.totalTimeout()));
        } catch (RejectedExecutionException e) {
            exchange.end(CLOSING);
            return exchange;
        }
        admit(requestTarget, proxy).whenComplete((_, refusal) -> {
            if (refusal == null) {
                exchange.begin();
            } else {
                exchange.unresolved(
                        refusal instanceof CompletionException e && e.getCause() != null ? e.getCause() : refusal);
            }
        });
        return exchange;
    }

    private void schedule(Exchange exchange, Duration limit) {
        long wait = Math.max(FINEST, exchange.remaining(limit).toNanos());
        ScheduledFuture<?> timeOut = timer.schedule(() -> {
            if (exchange.remaining(limit).isPositive()) {
                schedule(exchange, limit);
            } else {
                exchange.timeOut(limit);
            }
        }, wait, TimeUnit.NANOSECONDS);
        exchange.result().whenComplete((_, _) -> timeOut.cancel(false));
    }

    /**
     * Looks up and checks the peer of the connection: the host, or the proxy. A proxy looks the host up itself, so
     * behind one only a host that is an address literal can be checked here.
     */
    private CompletableFuture<?> admit(RequestTarget requestTarget, Optional<ProxyAddress> proxy) {
        if (proxy.isEmpty()) {
            return addresses.inTurn(requestTarget.host());
        }
        CompletableFuture<?> prepared = addresses.inTurn(proxy.get().host());
        return HostResolver.isLiteral(requestTarget.host())
                ? CompletableFuture.allOf(prepared, addresses.prepare(requestTarget.host()))
                : prepared;
    }

    CompletableFuture<List<InetAddress>> addresses(String host) {
        return addresses.prepare(host);
    }

    boolean isKnown(String host) {
        return addresses.isKnown(host);
    }

    private static BasicHttpRequest request(FetchRequest fetchRequest, RequestTarget requestTarget, HttpHost host) {
        BasicHttpRequest request = new BasicHttpRequest(fetchRequest.method(), host, requestTarget.path());
        fetchRequest.headers().forEach(request::addHeader);
        return request;
    }

    /**
     * The body, without a type, which is among the headers. A method that expects one has an empty one (RFC 9110
     * section 8.6).
     */
    private static @Nullable AsyncEntityProducer content(FetchRequest fetchRequest) {
        return fetchRequest.content().isEmpty() && !EXPECT_CONTENT.contains(fetchRequest.method())
                ? null
                : new BasicAsyncEntityProducer(fetchRequest.content().orElse("").getBytes(StandardCharsets.UTF_8),
                        null);
    }

    /** Cuts the exchanges that began under this permit. */
    void cut(FetchPermit ended) {
        open.stream().filter(exchange -> exchange.under(ended)).forEach(Exchange::withdraw);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
        inflaters.shutdown();
        addresses.close();
        open.forEach(exchange -> exchange.end(CLOSING));
    }

    static Timeout timeout(Duration duration) {
        return Timeout.ofMilliseconds(Math.max(1, duration.toMillis()));
    }
}
