package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallResponse;
import io.trawl.http.CallSignature;
import io.trawl.http.Endpoint;
import io.trawl.http.Route;
import io.trawl.http.RouteTable;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coordinator's HTTP endpoint: the four pages that every module has, the REST interface, and the dashboard for
 * people. Bound when it is made; it answers 503 until it is told what to serve. Thread-safe.
 */
public final class ApiEndpoint extends Endpoint {
    private static final String BASE = "/api/v1";
    private static final Logger LOG = LoggerFactory.getLogger(ApiEndpoint.class);
    private final LeaderRouting leader;

    /** @throws InvalidValueException if the address cannot be listened on */
    public ApiEndpoint(Settings settings, int port) {
        this(settings, port, new LeaderRouting(new LeaderForwarder(CallSignature.of(settings), Time.system())));
    }

    private ApiEndpoint(Settings settings, int port, LeaderRouting leader) {
        super(settings, port, table(leader, OpenApiDocument.read()));
        this.leader = leader;
    }

    private static RouteTable table(LeaderRouting leader, OpenApiDocument document) {
        List<Route> routes = Stream.of(new CrawlRoutes(leader).routes(), new FleetRoutes(leader).routes(),
                new SeedRoutes(leader).routes(), new FeedRoutes(leader).routes(), new ProbeRoutes(leader).routes(),
                new ViewRoutes(leader).routes(), List.of(
                        Route.get("/api/v1/openapi.yaml",
                                _ -> CallResponse.of(200, "application/yaml", document.yaml())).asSmall(),
                        Route.get("/api/v1/openapi.json",
                                _ -> CallResponse.of(200, "application/json", document.json())),
                        // An unknown path is refused as one that exists would be to a caller without a token.
                        Route.get(BASE + Route.REST, _ -> {
                            throw CallRefusedException.noSuchPage();
                        }), Route.open("/api" + Route.REST, _ -> {
                            throw new CallRefusedException(404,
                                    "the REST interface is at " + BASE + ", for example " + BASE + "/crawls");
                        }), DashboardFiles.route()))
                .flatMap(List::stream).toList();
        return new RouteTable(routes, new CoordinatorProblems(), document::check, ApiEndpoint::note);
    }

    /** Who has changed what, once: not where the call was passed on to. */
    private static void note(Call call, int status) {
        if (!call.head().looks() && call.header(LeaderForwarder.MARK).isEmpty()) {
            LOG.info("{}: {} {} -> {}", call.caller().name(), call.head().method(), call.path(), status);
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

    @Override
    public void close() {
        super.close();
        leader.close();
    }
}
