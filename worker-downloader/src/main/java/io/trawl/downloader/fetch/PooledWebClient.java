package io.trawl.downloader.fetch;

import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.time.Time;
import io.trawl.settings.Settings;
import java.net.InetAddress;
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
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.Timeout;

/**
 * The {@link WebClient} over one pool of connections, HTTP/1.1 and, where a server offers it in the TLS handshake, HTTP/2. Name look-up, guard,
 * connection, exchange and inflation each run where they hold nobody else up; one timer ends what takes too long in all.
 */
final class PooledWebClient implements WebClient, AutoCloseable {
    private static final Outcome CLOSING = new Outcome.Failure(FailureReason.OTHER, "the downloader is closing");
    private final Settings.Downloader settings;
    private final HostAddresses addresses;
    private final Time time;
    private final CloseableHttpAsyncClient client;
    private final RequestConfig direct;
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService inflaters;
    private final Set<Exchange> open = ConcurrentHashMap.newKeySet();

    PooledWebClient(Settings.Downloader settings, HostAddresses addresses, SSLContext tls, Time time) {
        this.settings = settings;
        this.addresses = addresses;
        this.time = time;
        this.direct = Clients.requests(settings);
        this.client = Clients.client(settings, addresses, tls);
        this.timer = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("fetch-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        this.inflaters = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(),
                Thread.ofPlatform().daemon().name("inflate-", 0).factory());
        client.start();
    }

    static PooledWebClient open(Settings.Downloader settings, AddressGuard guard, Time time) {
        return new PooledWebClient(settings, new HostAddresses(guard, InetAddress::getAllByName, time),
                SSLContexts.createDefault(), time);
    }

    @Override
    public CompletableFuture<Fetched> get(Get get, Clearance clearance) {
        Optional<Target> target = Target.of(get.url());
        if (target.isEmpty()) {
            return refused(new Outcome.Refused(RefusalReason.BAD_URL, "not an absolute http or https URL: " + get.url()));
        }
        Optional<Target> proxy = get.proxy().flatMap(Target::of);
        if (get.proxy().isPresent() && proxy.filter(p -> p.scheme().equals("http") && p.path().equals("/")).isEmpty()) {
            return refused(new Outcome.Failure(FailureReason.OTHER,
                    "the proxy '" + get.proxy().get() + "' is not of the form http://host:port"));
        }
        return begin(get, target.get(), proxy, clearance);
    }

    private CompletableFuture<Fetched> refused(Outcome outcome) {
        return CompletableFuture.completedFuture(Fetched.without(outcome, Duration.ZERO, time.now()));
    }

    private CompletableFuture<Fetched> begin(Get get, Target target, Optional<Target> proxy, Clearance clearance) {
        HttpHost host = new HttpHost(target.scheme(), target.host(), target.port());
        RequestConfig config = proxy
                .map(p -> RequestConfig.copy(direct).setProxy(new HttpHost(p.scheme(), p.host(), p.port())).build())
                .orElse(direct);
        Exchange exchange = new Exchange(get,
                new Peer(target.shown(), proxy.map(Target::shown), target.scheme().equals("https")), settings.responseTimeout(),
                (consumer, context, callback) -> {
                    context.setRequestConfig(config);
                    return client.execute(host, new ClearedRequest(request(get, target, host), clearance), consumer, null,
                            context, callback);
                }, clearance, inflaters, time);
        try {
            Duration limit = settings.totalTimeout();
            ScheduledFuture<?> timeOut = timer.schedule(() -> exchange.timeOut(limit), limit.toNanos(), TimeUnit.NANOSECONDS);
            open.add(exchange);
            exchange.result().whenComplete((_, _) -> {
                timeOut.cancel(false);
                open.remove(exchange);
            });
        } catch (RejectedExecutionException e) {
            exchange.end(CLOSING);
            return exchange.result();
        }
        admit(target, proxy).whenComplete((_, refusal) -> {
            if (refusal == null) {
                exchange.send(false);
            } else {
                exchange.fail(refusal instanceof CompletionException e && e.getCause() != null ? e.getCause() : refusal, false);
            }
        });
        return exchange.result();
    }

    /**
     * Looks up and judges what will be connected to: the host, or the proxy. Behind a proxy it is the proxy that looks the host up, so only a host that
     * is written as an address can be judged here.
     */
    private CompletableFuture<?> admit(Target target, Optional<Target> proxy) {
        if (proxy.isEmpty()) {
            return addresses.prepare(target.host());
        }
        CompletableFuture<?> way = addresses.prepare(proxy.get().host());
        return isLiteral(target.host()) ? CompletableFuture.allOf(way, addresses.prepare(target.host())) : way;
    }

    CompletableFuture<List<InetAddress>> addresses(String host) {
        return addresses.prepare(host);
    }

    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.');
    }

    private static BasicHttpRequest request(Get get, Target target, HttpHost host) {
        BasicHttpRequest request = new BasicHttpRequest("GET", host, target.path());
        get.headers().forEach(request::addHeader);
        return request;
    }

    /** Cuts the exchanges that were begun under this clearance. */
    void cut(Clearance ended) {
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
