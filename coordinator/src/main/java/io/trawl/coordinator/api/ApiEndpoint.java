package io.trawl.coordinator.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.trawl.codec.Json;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeading;
import io.trawl.model.InvalidValue;
import io.trawl.worker.Endpoint;
import io.trawl.worker.ModulePages;
import io.trawl.settings.Settings;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's HTTP endpoint: the four pages that every module has, the REST interface, and a first page for people. Bound when it is made; it
 * answers 503 until it is told what to serve. Thread-safe.
 */
public final class ApiEndpoint implements Endpoint {
    private static final long LARGEST_BODY = 32L << 20;
    private final Javalin server;
    private final CrawlRoutes crawls = new CrawlRoutes();
    private final AtomicReference<@Nullable ModulePages> pages = new AtomicReference<>();

    /** @throws InvalidValue if the address cannot be listened on */
    public ApiEndpoint(Settings.Http http) {
        server = Javalin.create(this::configure);
        try {
            server.start(http.bind(), http.port());
        } catch (JavalinBindException e) {
            throw new InvalidValue("TRAWL_HTTP_PORT", http.bind() + ":" + http.port(),
                    "a free port of this machine (" + e.getMessage() + ")");
        }
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = LARGEST_BODY;
        config.routes.get("/", ctx -> ctx.html(FirstPage.HTML));
        page(config, "/summary", "application/json", p -> Json.text(p.summary()), p -> true);
        page(config, "/metrics", "text/plain; version=0.0.4; charset=utf-8", ModulePages::metrics, p -> true);
        page(config, "/health/live", "application/json", p -> "{\"live\":" + p.live() + "}", ModulePages::live);
        page(config, "/health/ready", "application/json", p -> "{\"ready\":" + p.ready() + "}", ModulePages::ready);
        crawls.register(config.routes);
        config.routes.exception(Exception.class, ApiEndpoint::answer);
        config.routes.exception(HttpResponseException.class, ApiEndpoint::answer);
    }

    private void page(JavalinConfig config, String path, String type, Function<ModulePages, String> content,
            Predicate<ModulePages> fine) {
        config.routes.get(path, ctx -> {
            ModulePages now = pages.get();
            if (now == null) {
                throw new HttpResponseException(503, "starting");
            }
            ctx.status(fine.test(now) ? 200 : 503).contentType(type).result(content.apply(now));
        });
    }

    private static void answer(Exception e, Context ctx) {
        Problem problem = Problems.of(e, ctx.path());
        Problems.retryAfter(problem.status()).ifPresent(seconds -> ctx.header("Retry-After", seconds));
        ctx.status(problem.status()).contentType(Problem.CONTENT_TYPE).result(Json.bytes(problem));
    }

    /** Serves the REST interface from now on. */
    public void open(Desk desk) {
        crawls.open(desk);
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void serve(ModulePages now) {
        pages.set(now);
    }

    @Override
    public void close() {
        server.stop();
        crawls.close();
    }

}
