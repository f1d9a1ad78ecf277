package io.trawl.bench.plugin;

import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;

/** The delay per page or item, from an environment variable because a plug-in has no other settings. Immutable. */
public record PluginDelays(Duration takes) {
    /** The environment variable for pages in analyzers. */
    public static final String PAGE = "BENCH_PAGE_TAKES";
    /** The environment variable for items in pipelines. */
    public static final String ITEM = "BENCH_ITEM_TAKES";

    /** The delay in an environment variable; zero if it is not set. */
    static PluginDelays of(String variable) {
        return new PluginDelays(Optional.ofNullable(System.getenv(variable))
                .map(text -> Durations.parse(variable, text)).orElse(Duration.ZERO));
    }

    /** Waits for the delay, unless it is zero. */
    void pass() throws InterruptedException {
        if (takes.isPositive()) {
            Time.system().pause(takes);
        }
    }
}
