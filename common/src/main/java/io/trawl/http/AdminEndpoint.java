package io.trawl.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trawl.http.DirectCall.CallRequest;
import io.trawl.http.DirectCall.CallResponse;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * The endpoint of a worker, on the server of the JDK: the pages of the module, and its {@link DirectCall direct calls}.
 * For those it judges who is asking, how much is sent and how many callers there are at a time. Thread-safe.
 */
public final class AdminEndpoint extends Endpoint {
    /** Callers with a token may send large bodies, so only this many are read at a time. */
    private static final int MOST_AT_A_TIME = 16;
    private static final int COPIES = 3;
    private final HttpServer server;
    private final CallMemory budget = CallMemory.ofHeap();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(MOST_AT_A_TIME);

    /*
     * The server reads its limits when its first class is loaded; the command that starts the process may set others.
     */
    static {
        Map.of("jdk.httpserver.maxConnections", "256", "sun.net.httpserver.maxReqTime", "30",
                "sun.net.httpserver.maxReqHeaderSize", "16384")
                .forEach((name, limit) -> System.setProperty(name, System.getProperty(name, limit)));
    }

    /** @throws InvalidValueException if the address cannot be listened on */
    public AdminEndpoint(Settings settings) {
        this(settings, settings.http().port());
    }

    /** The same on another port. @throws InvalidValueException if the address cannot be listened on */
    public AdminEndpoint(Settings settings, int port) {
        super(settings, new ProblemMapping());
        Settings.HttpSettings http = settings.http();
        try {
            server = HttpServer.create(new InetSocketAddress(http.bind(), port), 64);
        } catch (BindException e) {
            throw portTaken(http, e);
        } catch (IOException e) {
            throw new InvalidValueException("TRAWL_HTTP_BIND", http.bind(),
                    "an address of this machine (" + e.getMessage() + ")");
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                send(exchange, answer(exchange));
            }
        });
        server.start();
    }

    private CallResponse answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try {
            CallHead head = new CallHead(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
                    name -> Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)));
            guard(head);
            Optional<CallResponse> page = page(head.method(), path);
            return page.isPresent() ? page.get() : call(exchange, head, find(head.method(), path));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return problem(e, path);
        } catch (RuntimeException e) {
            return problem(e, path);
        }
    }

    private DirectCall find(String method, String path) {
        DirectCall call = pages().calls().stream().filter(c -> c.path().equals(path)).findFirst()
                .orElseThrow(CallRefusedException::noSuchPage);
        if (!call.method().equals(method)) {
            throw CallRefusedException.otherMethod(call.method());
        }
        return call;
    }

    private CallResponse call(HttpExchange exchange, CallHead head, DirectCall call)
            throws IOException, InterruptedException {
        admit(head, call.needed(), Optional.empty());
        String type = head.header("Content-Type").orElse("");
        if (!call.accepts().isEmpty()
                && !type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(call.accepts())) {
            throw new CallRefusedException(415, "the body is " + call.accepts());
        }
        if (!room.tryAcquire()) {
            throw new CallRefusedException(503, "too many calls at a time");
        }
        try (CallMemory.Reservation _ = budget.reserve(memory(head, call))) {
            byte[] body = body(exchange, call);
            CallSignature.checkDigest(head, body);
            return call.handler().answer(new CallRequest(query(exchange), body));
        } finally {
            room.release();
        }
    }

    /** The memory for a call: its body, its parsed form, and the answer. */
    private static long memory(CallHead head, DirectCall call) {
        long length = head.header("Content-Length").filter(text -> text.matches("[0-9]{1,10}")).map(Long::valueOf)
                .orElse((long) call.largestBody());
        return Math.min(length, call.largestBody()) * COPIES;
    }

    private static byte[] body(HttpExchange exchange, DirectCall call) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(call.largestBody() + 1);
        if (body.length > call.largestBody()) {
            throw new CallRefusedException(413, "a body has at most " + call.largestBody() + " bytes here");
        }
        return body;
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
        try {
            for (String part : raw.split("&")) {
                String[] pair = part.split("=", 2);
                query.put(decoded(pair[0]), pair.length == 2 ? decoded(pair[1]) : "");
            }
        } catch (IllegalArgumentException e) {
            throw new CallRefusedException(400, "the query cannot be read: " + e.getMessage());
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, CallResponse response) throws IOException {
        boolean empty = response.body().length == 0 || exchange.getRequestMethod().equals("HEAD");
        response.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        if (empty) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(response.body().length));
        }
        exchange.sendResponseHeaders(response.status(), empty ? -1 : response.body().length);
        if (!empty) {
            exchange.getResponseBody().write(response.body());
        }
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
