package io.trawl.coordinator.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.trawl.access.Access;
import io.trawl.model.Role;
import io.trawl.codec.Json;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeading;
import io.trawl.model.InvalidValue;
import io.trawl.worker.Endpoint;
import io.trawl.worker.ModulePages;
import io.trawl.settings.Settings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's HTTP endpoint: the four pages that every module has, the REST interface, and the dashboard for people. Bound when it is made; it
 * answers 503 until it is told what to serve. Thread-safe.
 */
public final class ApiEndpoint implements Endpoint {
    private static final long LARGEST_BODY = 32L << 20;
    /** Calls of our own pages, and of people who typed the address. */
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private final Javalin server;
    private final LeaderFirst leader = new LeaderFirst();
    private final Access access;
    private final AtomicReference<@Nullable ModulePages> pages = new AtomicReference<>();

    /** @throws InvalidValue if the address cannot be listened on */
    public ApiEndpoint(Settings settings) {
        Settings.Http http = settings.http();
        access = Access.of(settings);
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
        DashboardFiles.register(config);
        page(config, "/summary", "application/json", p -> Json.text(p.summary()), p -> true);
        page(config, "/metrics", "text/plain; version=0.0.4; charset=utf-8", ModulePages::metrics, p -> true);
        page(config, "/health/live", "application/json", p -> "{\"live\":" + p.live() + "}", ModulePages::live);
        page(config, "/health/ready", "application/json", p -> "{\"ready\":" + p.ready() + "}", ModulePages::ready);
        config.routes.before("/api/*", this::admit);
        new CrawlRoutes(leader).register(config.routes);
        new FleetRoutes(leader).register(config.routes);
        new StopSignRoutes(leader).register(config.routes);
        config.routes.get("/api/openapi.yaml", ctx -> ctx.contentType("application/yaml").result(OpenApi.DOCUMENT));
        new SeedRoutes(leader).register(config.routes);
        new DomainRoutes(leader).register(config.routes);
        new ErrorRoutes(leader).register(config.routes);
        new EventRoutes(leader).register(config.routes);
        new ProbeRoutes(leader).register(config.routes);
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
        if (problem.status() == 401) {
            ctx.header("WWW-Authenticate", "Bearer realm=\"trawl\"");
        }
        Problems.retryAfter(problem.status()).ifPresent(seconds -> ctx.header("Retry-After", seconds));
        ctx.status(problem.status()).contentType(Problem.CONTENT_TYPE).result(Json.bytes(problem));
    }

    /**
     * Whether a page of another origin makes the call, through the browser of somebody who can reach this address; without a token it would else be as
     * good as that person. Every browser says so to addresses that it trusts, loopback among them (W3C Fetch Metadata).
     */
    private static boolean otherSite(Context ctx) {
        return Optional.ofNullable(ctx.header("Sec-Fetch-Site")).filter(site -> !OWN_SITE.contains(site)).isPresent();
    }

    /** Lets a call in, or ends it. */
    private void admit(Context ctx) {
        boolean looks = ctx.method() == HandlerType.GET || ctx.method() == HandlerType.HEAD;
        Role needed = looks ? Role.READ : Role.WRITE;
        if (!looks && otherSite(ctx)) {
            throw new AccessRefused(403, "a page of another site may not change anything here");
        }
        switch (access.judge(Optional.ofNullable(ctx.header("Authorization")), needed)) {
            case GRANTED -> {
            }
            case UNKNOWN -> throw new AccessRefused(401, access.closed()
                    ? "no token is set: set TRAWL_API_WRITE_TOKEN, or TRAWL_API_ANONYMOUS to let everybody in who can reach this address"
                    : "a token is needed: Authorization: Bearer TOKEN");
            case FORBIDDEN -> throw new AccessRefused(403, "this token may only " + Role.READ.word());
        }
    }

    /** Serves the REST interface from now on. */
    public void open(Desks desks) {
        leader.open(desks);
    }

    /** Every method and path of the REST interface: {@code GET /api/crawls/{id}}. */
    List<String> routes() {
        return server.unsafe.internalRouter.allHttpHandlers().stream().map(handler -> handler.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod() && endpoint.path.startsWith("/api/"))
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path).sorted().toList();
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
        leader.close();
    }

}
