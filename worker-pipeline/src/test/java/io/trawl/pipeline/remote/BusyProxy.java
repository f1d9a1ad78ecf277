package io.trawl.pipeline.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * Passes requests on to a server, but answers some itself, as an overloaded server does, or loses the answer of the
 * server.
 */
public final class BusyProxy implements AutoCloseable {
    private static final Set<String> NOT_PASSED = Set.of("connection", "content-length", "host", "upgrade",
            "http2-settings", "transfer-encoding", "expect");
    /** It does not reach the server. */
    private static final int LOST = -2;
    private final HttpServer server;
    private final URI behind;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Deque<Fault> faults = new ArrayDeque<>();
    public final List<String> asked = new ArrayList<>();
    /** A header that it does not pass on. */
    public volatile String drops = "";

    /** The requests that it still answers; all after them fail, as those of a process that was killed. */
    private int left = Integer.MAX_VALUE;
    private boolean lastReaches;

    /** What becomes of the next request with a method. @param status 0: it reaches the server, whose answer is lost */
    public record Fault(String method, int status, String retryAfter) {}

    public BusyProxy(URI behind) throws IOException {
        this.behind = behind;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public synchronized void next(Fault... next) {
        faults.addAll(List.of(next));
    }

    /** Forgets what has not come. */
    public synchronized void clear() {
        faults.clear();
        left = Integer.MAX_VALUE;
    }

    /**
     * Ends the life of what asks it with a request. @param answered those before @param reaches whether that one still
     * reaches the server
     */
    public synchronized void killAfter(int answered, boolean reaches) {
        left = answered;
        lastReaches = reaches;
    }

    private synchronized Fault fault(String method) {
        asked.add(method);
        if (left < 1) {
            boolean reaches = lastReaches;
            lastReaches = false;
            return new Fault(method, reaches ? 0 : LOST, "");
        }
        left--;
        return !faults.isEmpty() && faults.peek().method().equals(method) ? faults.remove() : new Fault(method, -1, "");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Fault fault = fault(exchange.getRequestMethod());
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (fault.status() == LOST) {
                return;
            }
            if (fault.status() > 0) {
                exchange.getResponseHeaders().add("Retry-After", fault.retryAfter());
                exchange.sendResponseHeaders(fault.status(), -1);
                return;
            }
            HttpResponse<byte[]> answer = http.send(passed(exchange, body), HttpResponse.BodyHandlers.ofByteArray());
            if (fault.status() == 0) {
                return;
            }
            answer.headers().map().forEach((name, values) -> {
                if (!NOT_PASSED.contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean none = answer.body().length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.statusCode(), none ? -1 : answer.body().length);
            if (!none) {
                exchange.getResponseBody().write(answer.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest passed(HttpExchange exchange, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI().toString()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_PASSED.contains(name.toLowerCase(Locale.ROOT)) && !name.equalsIgnoreCase(drops)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    @Override
    public void close() {
        server.stop(0);
        http.close();
    }
}
