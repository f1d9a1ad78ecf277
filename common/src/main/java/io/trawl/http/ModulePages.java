package io.trawl.http;

import io.trawl.module.ModuleSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What every module's HTTP endpoint shows. The suppliers are called by many threads, and answer at once.
 *
 * @param address {@code host:port} at which other processes call the module, as in its MID
 * @param summary {@code GET /summary}
 * @param metrics {@code GET /metrics}, in the Prometheus text format
 * @param live {@code GET /health/live}: whether the process should keep running
 * @param ready {@code GET /health/ready}: whether it does its work now; if not, with its state
 * @param calls what else it does at once for callers at its address
 */
public record ModulePages(String address, Supplier<ModuleSummary> summary, Supplier<String> metrics,
        BooleanSupplier live, BooleanSupplier ready, List<Route> calls) {
    private static final String SUMMARY = "/summary";
    private static final String METRICS = "/metrics";
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";
    /** The paths of the pages that every module has. */
    public static final Set<String> PATHS = Set.of(SUMMARY, METRICS, LIVE, READY);
    /** What answers until there are pages. */
    static final List<Route> STARTING = PATHS.stream().map(path -> Route.open(path, _ -> {
        throw CallRefusedException.starting();
    })).toList();

    /** Copies the calls. */
    public ModulePages {
        calls = List.copyOf(calls);
    }

    /** What answers from now on. */
    List<Route> routes() {
        List<Route> routes = new ArrayList<>(calls);
        routes.add(Route.open(SUMMARY, _ -> CallResponse.json(summary.get())));
        routes.add(Route.open(METRICS, _ -> CallResponse.of(200, "text/plain; version=0.0.4; charset=utf-8",
                metrics.get().getBytes(StandardCharsets.UTF_8))));
        routes.add(Route.open(LIVE, _ -> health("live", live.getAsBoolean(), Map.of())));
        routes.add(Route.open(READY,
                _ -> ready.getAsBoolean()
                        ? health("ready", true, Map.of())
                        : health("ready", false, Map.of("state", summary.get().state()))));
        return routes;
    }

    private static CallResponse health(String name, boolean fine, Map<String, Object> reason) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of(name, fine));
        body.putAll(reason);
        return CallResponse.json(fine ? 200 : 503, body);
    }
}
