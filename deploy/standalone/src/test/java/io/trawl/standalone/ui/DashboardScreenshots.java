package io.trawl.standalone.ui;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
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

/**
 * Takes the screenshots of the documents: crawls of the documentation that is installed on this machine, served on
 * loopback. Runs only if it is asked for by name; the folder is {@code -Dscreenshots=}, by default {@code docs}.
 */
class DashboardScreenshots {
    private static final Path DOCUMENTATION = Path.of("/usr/share/doc");
    private static final int WIDTH = 1440;
    private static final int HEIGHT = 1010;
    @TempDir
    private Path folder;
    private final List<HttpServer> sites = new ArrayList<>();

    @Test
    void showsRunningCrawlsOfRealDocumentationInLightAndDark() throws Exception {
        Path to = Path.of(System.getProperty("screenshots", "../../docs"));
        try (Chromium chromium = Chromium.start(Chromium.find().orElseThrow());
                UiFleet fleet = new UiFleet(folder.resolve("pages"), 2, Map.of());
                Tab page = chromium.open(WIDTH, HEIGHT)) {
            page.prefer(false);
            page.go(fleet.dashboard());
            define(fleet, "libxslt", "0ms", 3, 0, site(folder("libxslt*")));
            define(fleet, "node-docs", "250ms", 6, 2, site(DOCUMENTATION.resolve("nodejs/api")));
            define(fleet, "system-docs", "120ms", 3, 1, site(DOCUMENTATION), site(DOCUMENTATION));
            define(fleet, "retired-host", "500ms", 3, 0, "http://127.0.0.200:9/");
            await().atMost(Duration.ofMinutes(10)).pollInterval(Duration.ofSeconds(1))
                    .until(() -> fleet.get("api/v1/crawls/node-docs").at("/totals/pages").asLong() >= 40);
            take(page, to.resolve("dashboard-light.png"));
            page.prefer(true);
            take(page, to.resolve("dashboard-dark.png"));
            page.prefer(false);
            secondRun(fleet, "libxslt");
            // The charts of a crawl have a point per minute.
            await().atMost(Duration.ofMinutes(10)).pollInterval(Duration.ofSeconds(1))
                    .until(() -> fleet.get("api/v1/history?crawl=system-docs&minutes=30").path("points").size() > 3);
            page.go(fleet.dashboard().resolve("#/crawl/system-docs"));
            page.until("document.querySelector('h1').textContent === 'system-docs'");
            page.until("document.querySelectorAll('.errors tbody tr').length > 0");
            take(page, to.resolve("dashboard-crawl.png"));
            page.go(fleet.dashboard().resolve("#/crawl/libxslt"));
            page.until("document.querySelectorAll('.runs tbody tr').length > 1");
            page.value("document.querySelector('.runs').scrollIntoView({block: 'center'})");
            take(page, to.resolve("dashboard-runs.png"));
            page.go(fleet.dashboard().resolve("#/crawl/libxslt/items"));
            page.until("document.querySelectorAll('.items tbody tr').length > 10");
            take(page, to.resolve("dashboard-items.png"));
            page.go(fleet.dashboard().resolve("#/hosts"));
            page.until("document.querySelectorAll('.hosts tbody tr').length > 2");
            take(page, to.resolve("dashboard-hosts.png"));
            String downloader = fleet.get("api/v1/modules").valueStream().map(module -> module.path("mid").asText())
                    .filter(mid -> mid.startsWith("D")).findFirst().orElseThrow();
            page.go(fleet.dashboard().resolve("#/module/" + URLEncoder.encode(downloader, StandardCharsets.UTF_8)));
            page.until("document.querySelector('.about')?.innerText.includes('heap')");
            take(page, to.resolve("dashboard-process.png"));
        } finally {
            sites.forEach(site -> site.stop(0));
        }
    }

    /** Begins another run once the first one has ended, so that the crawl has a table of runs. */
    private static void secondRun(UiFleet fleet, String crawl) throws IOException, InterruptedException {
        await().atMost(Duration.ofMinutes(10)).until(() -> fleet.get("api/v1/crawls/" + crawl).has("end"));
        HttpRequest.BodyPublisher definition = HttpRequest.BodyPublishers
                .ofString(fleet.get("api/v1/crawls/" + crawl).path("definition").toString());
        fleet.send(
                HttpRequest.newBuilder(fleet.dashboard().resolve("api/v1/crawls/" + crawl + "?start=true&fresh=true"))
                        .header("Content-Type", "application/json").PUT(definition).build());
        await().atMost(Duration.ofMinutes(10))
                .until(() -> fleet.get("api/v1/crawls/" + crawl).path("epoch").asInt() == 2
                        && fleet.get("api/v1/crawls/" + crawl).has("end"));
    }

    private static void take(Tab page, Path file) throws IOException, InterruptedException {
        // A new message would cover a corner.
        page.until("document.querySelector('#messages').childElementCount === 0");
        Files.write(file, page.screenshot());
    }

    /** The HTML documentation of the first package of such a name. */
    private static Path folder(String glob) throws IOException {
        try (var packages = Files.newDirectoryStream(DOCUMENTATION, glob)) {
            for (Path each : packages) {
                Path html = each.resolve("html");
                if (Files.isDirectory(html)) {
                    return html.toRealPath();
                }
            }
        }
        throw new IllegalStateException("no documentation " + DOCUMENTATION.resolve(glob).resolve("html")
                + " on this machine (Debian has it in nodejs and libxslt1-dev)");
    }

    /** Serves a folder on a loopback address of its own. */
    private String site(Path root) throws IOException {
        String address = "127.0.0." + (sites.size() + 2);
        HttpServer site = SimpleFileServer.createFileServer(new InetSocketAddress(address, 0), root, OutputLevel.NONE);
        sites.add(site);
        site.start();
        return "http://" + address + ":" + site.getAddress().getPort() + "/";
    }

    private static void define(UiFleet fleet, String crawl, String delay, int depth, int priority, String... seeds)
            throws IOException, InterruptedException {
        String list = String.join(",", Stream.of(seeds).map(seed -> "{\"url\":\"" + seed + "\"}").toList());
        fleet.define(crawl, "{\"seeds\":[%s],\"fetch\":{\"delay\":\"%s\"},\"limits\":{\"depth\":%d},\"priority\":%d}"
                .formatted(list, delay, depth, priority));
    }
}
