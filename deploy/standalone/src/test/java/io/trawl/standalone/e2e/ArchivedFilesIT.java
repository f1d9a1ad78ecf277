package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.Totals;
import io.trawl.downloader.Downloader;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;

/** What an archive has besides pages, in runs that last and that are stopped. */
class ArchivedFilesIT {
    private static final String DEFINITION = """
            {"seeds": [{"url": "%s"}], "limits": {"depth": 30}, "fetch": {"delay": "%s"},
             "discover": {"requisites": ["style"]}, "sinks": [{"type": "jsonl"}, {"type": "warc"}]}""";
    @TempDir
    private Path temp;

    private static CrawlDefinition definition(FakeHost host, String delay) {
        return Json.read(DEFINITION.formatted(host.url("/"), delay).getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }

    /** The bodies of the answers for a URL that the archive of the first run has, in the order of their files. */
    private static List<String> archived(Path out, CrawlId crawl, String url) throws IOException {
        List<String> bodies = new ArrayList<>();
        try (Stream<Path> files = Files.walk(out.resolve("archive").resolve(crawl + "-1"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".warc.gz")).sorted().toList()) {
                try (WarcReader reader = new WarcReader(file)) {
                    for (WarcRecord record : reader) {
                        if (record instanceof WarcResponse response && response.target().equals(url)) {
                            bodies.add(response.http().status() + " " + new String(
                                    response.http().body().stream().readAllBytes(), StandardCharsets.UTF_8));
                        }
                    }
                }
            }
        }
        return bodies;
    }

    @Test
    void aRobotsTxtIsInTheArchiveAgainWhenItHasChangedAndOnlyThen() throws Exception {
        CrawlId crawl = new CrawlId("changing");
        try (FakeWeb web = FakeWeb.start(1);
                OneJvmFleet fleet = new OneJvmFleet(temp, Map.of("trawl.downloader.robots-ttl", "1s"))) {
            FakeHost host = web.host(0).robots("# first").page("/", "<a href='/1'>1</a>");
            for (int i = 1; i < 30; i++) {
                host.page("/" + i, "<a href='/" + (i + 1) + "'>next</a>");
            }
            host.route("/15", exchange -> {
                host.robots("# second");
                Behaviours.page("<a href='/16'>16</a>").answer(exchange);
            });
            fleet.client().define(crawl, definition(host, "100ms"), false);
            Totals totals = fleet.awaitFinished(crawl).totals();
            assertThat(archived(temp, crawl, host.url("/robots.txt"))).containsExactly("200 # first", "200 # second");
            assertThat(totals.requisites()).isEqualTo(2);
            assertThat(web.visits().stream().filter(visit -> visit.url().endsWith("/robots.txt"))).as("look-ups")
                    .hasSizeGreaterThan(4);
        }
    }

    @Test
    void aRequisiteThatWaitsForItsRetryWhileItsCrawlStopsIsInTheArchiveOnceAlsoFromAnotherDownloader()
            throws Exception {
        CrawlId crawl = new CrawlId("retried");
        try (FakeWeb web = FakeWeb.start(1);
                OneJvmFleet fleet = new OneJvmFleet(temp, Map.of("trawl.downloader.back-off", "2s"))) {
            FakeHost host = web.host(0).page("/", "<link rel=stylesheet href=/s.css><a href=/a>a</a>").page("/a",
                    "<link rel=stylesheet href=/s.css>");
            host.route("/s.css", Behaviours.atFirst(2, Behaviours.status(503),
                    Behaviours.bytes("text/css", "p {}".getBytes(StandardCharsets.UTF_8))));
            fleet.client().define(crawl, definition(host, "0ms"), false);
            stopAfter(1, web, fleet, crawl);
            fleet.client().start(crawl);
            stopAfter(2, web, fleet, crawl);
            fleet.worker(ModuleKind.DOWNLOADER).stop(Duration.ofSeconds(5));
            fleet.start(Downloader.factory());
            fleet.client().start(crawl);
            Totals totals = fleet.awaitFinished(crawl).totals();
            assertThat(archived(temp, crawl, host.url("/s.css"))).containsExactly("200 p {}");
            assertThat(asked(web, "/s.css")).isEqualTo(3);
            assertThat(totals.requisites()).as("with robots.txt").isEqualTo(2);
            assertThat(totals.pages()).isEqualTo(2);
            assertThat(totals.waiting()).isZero();
        }
    }

    private static void stopAfter(int times, FakeWeb web, OneJvmFleet fleet, CrawlId crawl)
            throws InterruptedException {
        await().until(() -> asked(web, "/s.css") == times);
        fleet.client().stop(crawl);
        await().until(() -> fleet.client().crawl(crawl).orElseThrow().state() == CrawlState.STOPPED);
        assertThat(asked(web, "/s.css")).as("the retry waits").isEqualTo(times);
    }

    private static long asked(FakeWeb web, String path) {
        return web.visits().stream().filter(visit -> visit.url().endsWith(path)).count();
    }
}
