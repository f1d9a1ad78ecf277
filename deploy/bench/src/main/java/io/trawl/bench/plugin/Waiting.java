package io.trawl.bench.plugin;

import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;

/** How long each page, and each item, is waited for: what the environment says, for a plugin has no other settings. Immutable. */
public record Waiting(Duration takes) {
    /** The environment variable for pages in analyzers. */
    public static final String PAGE = "BENCH_PAGE_TAKES";
    /** The environment variable for items in pipelines. */
    public static final String ITEM = "BENCH_ITEM_TAKES";

    /** What an environment variable says; nothing if it is not there. */
    static Waiting of(String variable) {
        return new Waiting(Optional.ofNullable(System.getenv(variable)).map(text -> Durations.parse(variable, text))
                .orElse(Duration.ZERO));
    }

    /** Waits, if there is anything to wait for. */
    void pass() throws InterruptedException {
        if (takes.isPositive()) {
            Time.system().pause(takes);
        }
    }
}
