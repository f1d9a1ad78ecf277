package io.trawl.downloader;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import io.trawl.control.CrawlState;
import io.trawl.testkit.FakeWeb;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Run by hand: with a million pending requests in a real Kafka, measures how long a downloader takes to build its index
 * of them, and to skip them when their crawl is stopped.
 */
public final class RebuildBench {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private RebuildBench() {}

    /** @param args the number of requests; a million by default */
    public static void main(String[] args) throws Exception {
        int requests = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        Time clock = Time.system();
        try (FakeWeb web = FakeWeb.start(2); Fleet fleet = new Fleet(Map.of())) {
            fleet.crawl(Duration.ofSeconds(2));
            for (int i = 0; i < requests; i++) {
                fleet.submit(1, web.host(i & 1).url("/some/usual/path/of/a/page-" + i + ".html"));
                if (i % 10_000 == 0) {
                    fleet.flush();
                }
            }
            fleet.flush();
            long written = fleet.uncommitted();
            long began = clock.nanos();
            Worker worker = fleet.start();
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(50)).until(() -> pending(worker) > written - 100);
            say("indexed", written, clock.nanos() - began);
            began = clock.nanos();
            fleet.crawl(CrawlState.STOPPED);
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(50))
                    .until(() -> requireNonNull((Integer) worker.summary().extra().get("parked")) > written - 100);
            say("skipped", written, clock.nanos() - began);
        }
        System.exit(0);
    }

    private static void say(String what, long requests, long nanos) {
        System.out.println(String.format(Locale.ROOT, "%d requests %s in %.1f s: %.0f per second", requests, what,
                nanos / 1e9, requests / (nanos / 1e9)));
    }

    private static long pending(Worker worker) {
        Object byPriority = worker.summary().extra().get("pendingByPriority");
        return byPriority instanceof Map<?, ?> map ? map.values().stream().mapToLong(n -> (Long) n).sum() : 0;
    }
}
