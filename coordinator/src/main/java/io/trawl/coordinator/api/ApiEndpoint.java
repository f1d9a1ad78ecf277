package io.trawl.coordinator.api;

import java.util.HashMap;
import io.trawl.http.DirectCall.CallRequest;
import io.trawl.http.DirectCall;
import io.trawl.telemetry.RecentLog;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.http.staticfiles.Location;
import io.javalin.util.JavalinBindException;
import io.trawl.http.CallHead;
import io.trawl.http.Caller;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallSignature;
import io.trawl.http.DirectCall.CallResponse;
import io.trawl.http.Endpoint;
import io.trawl.http.ModulePages;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coordinator's HTTP endpoint: the four pages that every module has, the REST interface, and the dashboard for
 * people. Bound when it is made; it answers 503 until it is told what to serve. Thread-safe.
 */
public final class ApiEndpoint extends Endpoint {
    private static final String BASE = "/api/v1";
    private static final Set<String> PREVIEWS = Set.of(BASE + "/preview", BASE + "/preview/values");
    private static final Pattern OF_CRAWL = Pattern.compile(BASE + "/crawls/([^/]+)(/.*)?");
    private static final Logger LOG = LoggerFactory.getLogger(ApiEndpoint.class);
    private static final int MOST_CONNECTIONS = 1000;
    private static final int HEADER_BYTES = 16 << 10;
    /** After how many seconds a call may come again that found the heap full. */
    private static final int AGAIN = 5;
    private static final Pattern SMALL_READS = Pattern.compile(BASE
            + "/(openapi\\.yaml|summary|queue|explain|stop-signs|modules(/[^/]++/summary)?|crawls/[^/]++(/stop-sign)?)");
    private static final Pattern SMALL_WRITES = Pattern.compile(BASE + "/(stop-sign|crawls/[^/]++/stop)");
    private final Javalin server;
    private final LeaderRouting leader;
    private final CallBodies bodies = new CallBodies();
    private final OpenApiDocument document = OpenApiDocument.read();
    private volatile BooleanSupplier full = () -> false;

    /** @throws InvalidValueException if the address cannot be listened on */
    public ApiEndpoint(Settings settings) {
        this(settings, settings.http().port());
    }

    /** The same on another port. @throws InvalidValueException if the address cannot be listened on */
    public ApiEndpoint(Settings settings, int port) {
        super(settings, new CoordinatorProblems());
        leader = new LeaderRouting(new LeaderForwarder(CallSignature.of(settings), Time.system()));
        Settings.HttpSettings httpSettings = settings.http();
        server = Javalin.create(this::configure);
        try {
            server.start(httpSettings.bind(), port);
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
            jetty.setHandler(new RequestRules());
        });
        config.jetty.modifyHttpConfiguration(http -> http.setRequestHeaderSize(HEADER_BYTES));
        DashboardFiles.register(config);
        config.routes.before(ctx -> guard(CallBodies.head(ctx)));
        // Before the routes, so that these pages answer other methods as they do at a worker.
        ModulePages.PATHS.forEach(path -> config.routes.before(path, this::page));
        config.routes.before("/api/v1/*", this::admit);
        config.routes.beforeMatched("/api/v1/*", document::check);
        config.routes.after("/api/v1/*", CallBodies::release);
        config.routes.after("/api/v1/*", ApiEndpoint::note);
        new CrawlRoutes(leader).register(config.routes);
        new FleetRoutes(leader).register(config.routes);
        config.routes.get("/api/v1/openapi.yaml", ctx -> ctx.contentType("application/yaml").result(document.yaml()));
        config.routes.get("/api/v1/openapi.json", ctx -> ctx.contentType("application/json").result(document.json()));
        new SeedRoutes(leader).register(config.routes);
        new FeedRoutes(leader).register(config.routes);
        new ProbeRoutes(leader).register(config.routes);
        new ViewRoutes(leader).register(config.routes);
        config.routes.get(RecentLog.PATH, this::directCall);
        config.routes.exception(Exception.class, (e, ctx) -> send(ctx, problem(e, ctx.path())));
        config.routes.exception(HttpResponseException.class, ApiEndpoint.this::refuse);
    }

    private void page(Context ctx) {
        send(ctx, page(ctx.method().name(), ctx.path()).orElseThrow(CallRefusedException::noSuchPage));
        ctx.skipRemainingHandlers();
    }

    /** The calls that coordinators make at all processes alike. */
    private void directCall(Context ctx) throws InterruptedException {
        DirectCall call = pages().calls().stream().filter(c -> c.path().equals(ctx.path())).findFirst()
                .orElseThrow(CallRefusedException::noSuchPage);
        admit(CallBodies.head(ctx), call.needed(), Optional.empty());
        Map<String, String> query = new HashMap<>();
        ctx.queryParamMap().forEach((name, values) -> query.put(name, values.getLast()));
        send(ctx, call.handler().answer(new CallRequest(query, new byte[0])));
    }

    private static void send(Context ctx, CallResponse response) {
        response.headers().forEach(ctx::header);
        ctx.status(response.status()).contentType(response.contentType()).result(response.body());
    }

    /** What the server itself refuses, in the words of all endpoints; and OPTIONS, which no route has. */
    private void refuse(HttpResponseException e, Context ctx) {
        if (e.getStatus() == 405 && ctx.method() == HandlerType.OPTIONS) {
            ctx.status(204).header("Allow", allowed(e)).result("");
        } else {
            send(ctx, problem(refused(e, ctx.path()), ctx.path()));
        }
    }

    private static CallRefusedException refused(HttpResponseException e, String path) {
        return switch (e.getStatus()) {
            case 404 -> withoutVersion(path)
                    ? new CallRefusedException(404,
                            "the REST interface is at " + BASE + ", for example " + BASE + "/crawls")
                    : CallRefusedException.noSuchPage();
            case 405 -> CallRefusedException.otherMethod(allowed(e));
            default -> new CallRefusedException(e.getStatus(), String.valueOf(e.getMessage()));
        };
    }

    /** Also HEAD, which is answered as GET, and OPTIONS. */
    private static String allowed(HttpResponseException e) {
        return Stream.of(e.getDetails().getOrDefault("availableMethods", "").split("[^A-Z]+"))
                .flatMap(method -> method.equals("GET") ? Stream.of("GET", "HEAD") : Stream.of(method))
                .filter(method -> !method.isEmpty() && !method.equals("OPTIONS")).distinct().sorted()
                .collect(Collectors.joining(", ", "", ", OPTIONS"));
    }

    private static boolean withoutVersion(String path) {
        return (path + "/").startsWith("/api/") && !(path + "/").startsWith(BASE + "/");
    }

    /** Lets a call in, or ends it. */
    private void admit(Context ctx) {
        CallHead head = CallBodies.head(ctx);
        boolean looks = head.looks() || ctx.method() == HandlerType.OPTIONS;
        Matcher crawl = OF_CRAWL.matcher(ctx.path());
        // A preview changes nothing, and a caller who may change some crawl may make one.
        Optional<String> changed = crawl.matches() ? Optional.of(crawl.group(1)) : Optional.empty();
        Caller caller = PREVIEWS.contains(ctx.path())
                ? admitToPreview(head)
                : admit(head, looks ? Role.READ : Role.WRITE, changed);
        CallBodies.letIn(ctx, caller);
        spare(ctx);
        bodies.reserve(ctx);
    }

    private Caller admitToPreview(CallHead head) {
        Caller caller = admit(head, Role.READ, Optional.empty());
        return admit(head, Role.WRITE, caller.prefix());
    }

    /** Who has changed what, once: not where the call was passed on to. */
    private static void note(Context ctx) {
        if (!CallBodies.head(ctx).looks() && ctx.header(LeaderForwarder.MARK) == null
                && ctx.attribute(CallBodies.CALLER) != null) {
            LOG.info("{}: {} {} -> {}", CallBodies.caller(ctx).name(), ctx.method().name(), ctx.path(),
                    ctx.statusCode());
        }
    }

    /**
     * While the heap is nearly full, only what shows the state of the fleet is answered, and what stops and deletes.
     */
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
     * Changes two kinds of requests. One for another protocol (RFC 9110, section 7.8) is answered without it: for each
     * request for a WebSocket the library would make a session, which never ends. HEAD is answered as GET; Jetty sends
     * the headers only. The library would answer 200 without asking the route.
     */
    private static final class RequestRules extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            HttpFields sent = request.getHeaders();
            boolean head = HttpMethod.HEAD.is(request.getMethod());
            if (!head && !sent.contains(HttpHeader.UPGRADE) && !sent.contains(HttpHeader.SEC_WEBSOCKET_VERSION)) {
                return super.handle(request, response, callback);
            }
            HttpFields kept = HttpFields.build(sent).remove(HttpHeader.UPGRADE).remove(HttpHeader.SEC_WEBSOCKET_VERSION)
                    .asImmutable();
            request.setAttribute(EventStream.HEADERS_ONLY, head);
            return super.handle(new Request.Wrapper(request) {
                @Override
                public HttpFields getHeaders() { return kept; }

                @Override
                public String getMethod() { return head ? HttpMethod.GET.asString() : super.getMethod(); }
            }, response, callback);
        }
    }

    /**
     * The dashboard: plain files of the class path at {@code /}, which get all data from the REST interface. They need
     * no token, since they contain no data. Their policy makes the browser run no other scripts, load nothing from
     * other servers and show them in no frame.
     */
    private static final class DashboardFiles {
        private static final String FOLDER = "/dashboard";
        /**
         * The dashboard shows content of crawled pages as text only; should that ever fail, this policy makes it
         * harmless.
         */
        private static final String POLICY = String.join("; ", "default-src 'none'", "script-src 'self'",
                "style-src 'self'", "img-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
                "frame-ancestors 'none'");

        private DashboardFiles() {}

        /** Serves the files. */
        static void register(JavalinConfig config) {
            config.staticFiles.add(files -> {
                files.hostedPath = "/";
                files.directory = FOLDER;
                files.location = Location.CLASSPATH;
                files.headers = Map.of("Content-Security-Policy", POLICY, "X-Content-Type-Options", "nosniff",
                        "Referrer-Policy", "no-referrer", "Cache-Control", "no-cache");
            });
        }
    }
}
