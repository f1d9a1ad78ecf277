package io.trawl.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trawl.time.Time;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Real HTTP servers on the loopback addresses 127.0.0.1, 127.0.0.2, ... (Linux has all of them), each with its own free
 * port, so that each is a separate host and primary domain. Records every request. Thread-safe; close it at the end.
 */
public final class FakeWeb implements AutoCloseable {
    private final Time time = Time.system();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<FakeHost> hosts = new ArrayList<>();
    private final Queue<SeenRequest> visits = new ConcurrentLinkedQueue<>();

    private FakeWeb() {
        // Otherwise header and body of a response are sent in two packets, the second 40 ms later.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** Starts this number of hosts, at most 250, without pages. */
    public static FakeWeb start(int hosts) {
        FakeWeb web = new FakeWeb();
        try {
            for (int i = 1; i <= hosts; i++) {
                web.listen("127.0.0." + i, "127.0.0." + i);
            }
            return web;
        } catch (IOException e) {
            web.close();
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a host for each name, all at one address, without pages; clients must resolve the names to the address
     * themselves.
     */
    public static FakeWeb startNamed(String address, List<String> names) {
        FakeWeb web = new FakeWeb();
        try {
            for (String name : names) {
                web.listen(address, name);
            }
            return web;
        } catch (IOException e) {
            web.close();
            throw new UncheckedIOException(e);
        }
    }

    private void listen(String address, String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(address, 0), 1024);
        servers.add(server);
        FakeHost host = new FakeHost(name, server.getAddress().getPort());
        hosts.add(host);
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(host, exchange));
        server.start();
    }

    private void serve(FakeHost host, HttpExchange exchange) {
        String agent = exchange.getRequestHeaders().getFirst("User-Agent");
        SeenRequest visit = new SeenRequest(host.name(), exchange.getRequestURI().toString(),
                agent == null ? "" : agent, time.nanos());
        visits.add(visit);
        AtomicLong written = new AtomicLong(Long.MIN_VALUE);
        exchange.setStreams(null, new FilterOutputStream(exchange.getResponseBody()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                written.set(time.nanos());
                out.write(bytes, offset, length);
            }
        });
        try (exchange) {
            host.behaviour(exchange).answer(exchange);
        } catch (IOException e) {
            // The client has disconnected, possibly on purpose; closing the exchange breaks the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // The client may have the last byte long before this thread goes on.
            visit.end(written.get() == Long.MIN_VALUE ? time.nanos() : written.get());
        }
    }

    /** A host, counted from 0. */
    public FakeHost host(int index) {
        return hosts.get(index);
    }

    /** All hosts. */
    public List<FakeHost> hosts() {
        return List.copyOf(hosts);
    }

    /** Every request so far, in the order of arrival at its host. */
    public List<SeenRequest> visits() {
        return List.copyOf(visits);
    }

    /** The requests to one host so far, robots.txt included, in the order of arrival. */
    public List<SeenRequest> visits(FakeHost host) {
        return visits.stream().filter(v -> v.host().equals(host.name()))
                .sorted(Comparator.comparingLong(SeenRequest::arrived)).toList();
    }

    /** The number of requests for a URL. */
    public long count(String url) {
        return visits.stream().filter(v -> v.url().equals(url)).count();
    }

    /** The number of requests per requested URL; without robots.txt. */
    public Map<String, Long> counts() {
        return visits.stream().filter(v -> !v.path().equals("/robots.txt"))
                .collect(Collectors.groupingBy(SeenRequest::url, Collectors.counting()));
    }

    /** Removes all recorded visits. */
    public void forgetVisits() {
        visits.clear();
    }

    /**
     * The shortest time from the end of one response of a host to the arrival of its next request, in nanoseconds;
     * negative if requests overlapped, {@link Long#MAX_VALUE} for fewer than two visits.
     */
    public long shortestGap(FakeHost host) {
        return shortestGap(visits(host), time.nanos());
    }

    private static long shortestGap(Collection<SeenRequest> ordered, long now) {
        long shortest = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (SeenRequest visit : ordered) {
            if (end != Long.MIN_VALUE) {
                shortest = Math.min(shortest, visit.arrived() - end);
            }
            end = Math.max(end, visit.ended().orElse(now));
        }
        return shortest;
    }

    /** Stops listening, breaks all connections and interrupts every waiting behaviour. */
    @Override
    public void close() {
        servers.forEach(s -> s.stop(0));
        threads.shutdownNow();
    }
}
