package io.trawl.testkit;

import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One host of a {@link FakeWeb}: an address, a port and a table of paths. A path that is not in the table answers 404,
 * {@code /robots.txt} included. The table may be changed while requests come in. Thread-safe.
 */
public final class FakeHost {
    private static final long LONGEST_HOLD_SECONDS = 20;
    private final String address;
    private final int port;
    private final Map<String, Behaviour> routes = new ConcurrentHashMap<>();
    private volatile CountDownLatch held = new CountDownLatch(0);

    FakeHost(String address, int port) {
        this.address = address;
        this.port = port;
    }

    /**
     * Sets the behaviour of a path; {@code path} is percent-encoded and may have a query, which then must match too.
     */
    public FakeHost route(String path, Behaviour behaviour) {
        routes.put(path, behaviour);
        return this;
    }

    /** A page of HTML. */
    public FakeHost page(String path, String html) {
        return route(path, Behaviours.page(html));
    }

    /** A permanent redirect. */
    public FakeHost redirect(String path, String location) {
        return route(path, Behaviours.redirect(301, location));
    }

    /** The host's robots.txt. */
    public FakeHost robots(String text) {
        return route("/robots.txt", Behaviours.bytes("text/plain", text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Delays all responses but robots.txt from now on: until the latch opens, at most 20 seconds after the request,
     * which is shorter than a crawler's time-out. A crawl cannot end before, unless this host has few pages.
     */
    public FakeHost hold(CountDownLatch opens) {
        held = opens;
        return this;
    }

    /** The absolute URL of a path, in normal form if the path is. */
    public String url(String path) {
        return "http://" + name() + path;
    }

    /** {@code address:port}, which is the politeness key as well. */
    public String name() {
        return address + ":" + port;
    }

    /** The IP address, which is the primary domain as well. */
    public String address() {
        return address;
    }

    /** The port. */
    public int port() {
        return port;
    }

    /** The behaviour for a request: the route with its query, otherwise the one without. */
    Behaviour behaviour(HttpExchange exchange) {
        String path = exchange.getRequestURI().getRawPath();
        Behaviour exact = routes.get(exchange.getRequestURI().toString());
        Behaviour now = exact == null ? routes.getOrDefault(path, Behaviours.notFound()) : exact;
        CountDownLatch opens = held;
        return opens.getCount() == 0 || path.equals("/robots.txt") ? now : late(opens, now);
    }

    private static Behaviour late(CountDownLatch opens, Behaviour then) {
        return exchange -> {
            opens.await(LONGEST_HOLD_SECONDS, TimeUnit.SECONDS);
            then.answer(exchange);
        };
    }

    @Override
    public String toString() {
        return name();
    }
}
