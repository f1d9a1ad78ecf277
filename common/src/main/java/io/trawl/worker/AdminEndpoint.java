package io.trawl.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trawl.access.Access;
import io.trawl.codec.Json;
import io.trawl.model.InvalidValue;
import io.trawl.settings.Settings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The small endpoint of a worker: {@code /summary}, {@code /metrics}, {@code /health/live}, {@code /health/ready}, and its {@link DirectCall direct calls}. */
public final class AdminEndpoint implements Endpoint {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable ModulePages> pages = new AtomicReference<>();

    /** @throws InvalidValue if the address cannot be listened on */
    public AdminEndpoint(Settings settings) {
        Settings.Http http = settings.http();
        DirectDoor door = new DirectDoor(Access.of(settings));
        try {
            server = HttpServer.create(new InetSocketAddress(http.bind(), http.port()), 64);
        } catch (BindException e) {
            throw new InvalidValue("TRAWL_HTTP_PORT", http.bind() + ":" + http.port(),
                    "a free port of this machine (" + e.getMessage() + ")");
        } catch (IOException e) {
            throw new InvalidValue("TRAWL_HTTP_BIND", http.bind(), "an address of this machine (" + e.getMessage() + ")");
        }
        server.setExecutor(threads);
        page("/summary", "application/json", p -> Json.text(p.summary()), p -> true);
        page("/metrics", "text/plain; version=0.0.4; charset=utf-8", ModulePages::metrics, p -> true);
        page("/health/live", "application/json", p -> "{\"live\":" + p.live() + "}", ModulePages::live);
        page("/health/ready", "application/json", p -> "{\"ready\":" + p.ready() + "}", ModulePages::ready);
        server.createContext("/", exchange -> {
            try (exchange) {
                door.serve(exchange, pages.get());
            }
        });
        server.start();
    }

    private void page(String path, String type, Function<ModulePages, String> content, Function<ModulePages, Boolean> fine) {
        server.createContext(path, exchange -> {
            try (exchange) {
                ModulePages now = pages.get();
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    answer(exchange, 404, "text/plain", "no such page\n");
                } else if (!exchange.getRequestMethod().equals("GET")) {
                    answer(exchange, 405, "text/plain", "only GET\n");
                } else if (now == null) {
                    answer(exchange, 503, "text/plain", "starting\n");
                } else {
                    answer(exchange, fine.apply(now) ? 200 : 503, type, content.apply(now));
                }
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String type, String content) throws IOException {
        byte[] body = content.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void serve(ModulePages now) {
        pages.set(now);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
