package io.trawl.coordinator.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.staticfiles.Location;
import io.javalin.util.JavalinBindException;
import io.trawl.http.CallHead;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallSignature;
import io.trawl.http.DirectCall.CallResponse;
import io.trawl.http.Endpoint;
import io.trawl.http.ModulePages;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The coordinator's HTTP endpoint: the four pages that every module has, the REST interface, and the dashboard for people. Bound when it is made; it
 * answers 503 until it is told what to serve. Thread-safe.
 */
public final class ApiEndpoint extends Endpoint {
    private static final String BASE = "/api/v1";
    private static final int MOST_CONNECTIONS = 1000;
    private static final int HEADER_BYTES = 16 << 10;
    /** After how many seconds a call may come again that found the heap full. */
    private static final int AGAIN = 5;
    private static final Pattern SMALL_READS = Pattern
            .compile(BASE
                    + "/(openapi\\.yaml|summary|queue|explain|stop-signs|modules(/[^/]++/summary)?|crawls/[^/]++(/stop-sign)?)");
    private static final Pattern SMALL_WRITES = Pattern.compile(BASE + "/(stop-sign|crawls/[^/]++/stop)");
    private final Javalin server;
    private final LeaderRouting leader;
    private final CallBodies bodies = new CallBodies();
    private volatile BooleanSupplier full = () -> false;

    /** @throws InvalidValueException if the address cannot be listened on */
    public ApiEndpoint(Settings settings) {
        super(settings, new CoordinatorProblems());
        leader = new LeaderRouting(new LeaderForwarder(CallSignature.of(settings), Time.system()));
        Settings.HttpSettings httpSettings = settings.http();
        server = Javalin.create(this::configure);
        try {
            server.start(httpSettings.bind(), httpSettings.port());
        } catch (JavalinBindException e) {
            throw portTaken(httpSettings, e);
        }
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = CallBodies.LARGEST_LIST;
        config.jetty.modifyServer(jetty -> {
            jetty.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, jetty));
            jetty.setHandler(new UpgradesIgnored());
        });
        config.jetty.modifyHttpConfiguration(http -> http.setRequestHeaderSize(HEADER_BYTES));
        DashboardFiles.register(config);
        config.routes.before(ctx -> guard(CallBodies.head(ctx)));
        // Before the routes, so that these pages answer other methods as they do at a worker.
        ModulePages.PATHS.forEach(path -> config.routes.before(path, this::page));
        config.routes.before("/api/v1/*", this::admit);
        config.routes.after("/api/v1/*", CallBodies::release);
        new CrawlRoutes(leader).register(config.routes);
        new FleetRoutes(leader).register(config.routes);
        config.routes.get("/api/v1/openapi.yaml", ctx -> ctx.contentType("application/yaml").result(OpenApi.DOCUMENT));
        new SeedRoutes(leader).register(config.routes);
        new FeedRoutes(leader).register(config.routes);
        new ProbeRoutes(leader).register(config.routes);
        config.routes.exception(Exception.class, (e, ctx) -> send(ctx, problem(e, ctx.path())));
        config.routes.exception(HttpResponseException.class, (e, ctx) -> send(ctx, problem(refused(e, ctx.path()), ctx.path())));
    }

    private void page(Context ctx) {
        send(ctx, page(ctx.method().name(), ctx.path()).orElseThrow(CallRefusedException::noSuchPage));
        ctx.skipRemainingHandlers();
    }

    private static void send(Context ctx, CallResponse response) {
        response.headers().forEach(ctx::header);
        ctx.status(response.status()).contentType(response.contentType()).result(response.body());
    }

    /** What the server itself refuses, in the words of all endpoints. */
    private static CallRefusedException refused(HttpResponseException e, String path) {
        return switch (e.getStatus()) {
            case 404 -> withoutVersion(path)
                    ? new CallRefusedException(404, "the REST interface is at " + BASE + ", for example " + BASE + "/crawls")
                    : CallRefusedException.noSuchPage();
            case 405 -> CallRefusedException.otherMethod(e.getDetails().getOrDefault("availableMethods", "other methods"));
            default -> new CallRefusedException(e.getStatus(), String.valueOf(e.getMessage()));
        };
    }

    private static boolean withoutVersion(String path) {
        return (path + "/").startsWith("/api/") && !(path + "/").startsWith(BASE + "/");
    }

    /** Lets a call in, or ends it. */
    private void admit(Context ctx) {
        CallHead head = CallBodies.head(ctx);
        admit(head, head.looks() ? Role.READ : Role.WRITE);
        spare(ctx);
        bodies.reserve(ctx);
    }

    /** While the heap is nearly full, only what shows the state of the fleet is answered, and what stops and deletes. */
    private void spare(Context ctx) {
        boolean small = switch (ctx.method().name()) {
            case "GET", "HEAD" -> SMALL_READS.matcher(ctx.path()).matches();
            case "POST" -> SMALL_WRITES.matcher(ctx.path()).matches();
            case "PUT" -> false;
            default -> true;
        };
        if (!small && full.getAsBoolean()) {
            throw CallRefusedException.unavailable("the heap of this coordinator is nearly full", AGAIN);
        }
    }

    /**
     * Serves the REST interface from now on.
     *
     * @param heapFull whether this process has no memory for large calls
     */
    public void open(ApiServices services, BooleanSupplier heapFull) {
        spareWhile(heapFull);
        leader.open(services);
    }

    /** Refuses large calls while this holds. */
    void spareWhile(BooleanSupplier heapFull) {
        full = heapFull;
    }

    /** Every method and path of the REST interface: {@code GET /api/v1/crawls/{id}}. */
    List<String> routes() {
        return server.unsafe.internalRouter.allHttpHandlers().stream().map(handler -> handler.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod() && endpoint.path.startsWith(BASE))
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path).sorted().toList();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
        leader.close();
    }

    /**
     * Ignores requests for another protocol (RFC 9110, section 7.8). For each request for a WebSocket the library would make a session, which never ends.
     */
    private static final class UpgradesIgnored extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            HttpFields sent = request.getHeaders();
            if (!sent.contains(HttpHeader.UPGRADE) && !sent.contains(HttpHeader.SEC_WEBSOCKET_VERSION)) {
                return super.handle(request, response, callback);
            }
            HttpFields kept = HttpFields.build(sent).remove(HttpHeader.UPGRADE).remove(HttpHeader.SEC_WEBSOCKET_VERSION)
                    .asImmutable();
            return super.handle(new Request.Wrapper(request) {
                @Override
                public HttpFields getHeaders() { return kept; }
            }, response, callback);
        }
    }

    /**
     * The dashboard: plain files of the class path at {@code /}, which get all data from the REST interface. They need no token, since they contain no
     * data. Their policy makes the browser run no other scripts, load nothing from other servers and show them in no frame.
     */
    private static final class DashboardFiles {
        private static final String FOLDER = "/dashboard";
        /** The dashboard shows content of crawled pages as text only; should that ever fail, this policy makes it harmless. */
        private static final String POLICY = String.join("; ", "default-src 'none'", "script-src 'self'", "style-src 'self'",
                "img-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'");

        private DashboardFiles() {}

        /** Serves the files. */
        static void register(JavalinConfig config) {
            config.staticFiles.add(files -> {
                files.hostedPath = "/";
                files.directory = FOLDER;
                files.location = Location.CLASSPATH;
                files.headers = Map.of("Content-Security-Policy", POLICY, "X-Content-Type-Options", "nosniff", "Referrer-Policy",
                        "no-referrer", "Cache-Control", "no-cache");
            });
        }
    }

    /** The description of the REST interface, written by hand; a test holds it and the interface together. */
    private static final class OpenApi {
        /** OpenAPI 3.1, as YAML. */
        static final String DOCUMENT = read();

        private OpenApi() {}

        private static String read() {
            try (InputStream in = OpenApi.class.getResourceAsStream("/openapi.yaml")) {
                if (in == null) {
                    throw new IllegalStateException("openapi.yaml is not on the class path");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
