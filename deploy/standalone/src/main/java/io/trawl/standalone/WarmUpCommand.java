package io.trawl.standalone;

import io.trawl.coordinator.summary.FleetCrawls;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.http.CallResponse;
import io.trawl.http.Endpoint;
import io.trawl.http.ProblemMapping;
import io.trawl.http.Route;
import io.trawl.http.RouteTable;
import io.trawl.model.MID;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Crawls some local pages, or previews one and reads the status of a simulated fleet, by the commands that users give,
 * so that the JVM records the classes that these load: the launcher creates a cache of them that halves the time of
 * later starts.
 */
@Command(name = "warm-up", hidden = true, description = "Crawl a few local pages; used by the launcher.")
final class WarmUpCommand implements Callable<Integer> {
    private static final int PAGES = 300;
    private static final int LINKS = 20;
    private static final int PARAGRAPHS = 40;
    private static final FleetSummary FLEET = FleetSummary.of(Optional.of(MID.parse("C1|127.0.0.1:8080")),
            Optional.empty(), QueueSummary.UNKNOWN, List.of(), FleetCrawls.NONE, Optional.empty(), List.of(), Map.of(),
            Map.of(), Optional.empty());

    @Option(names = "--brief", description = "Give the commands that end soon instead.")
    private boolean brief;

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("trawl-warm-up-");
        try (Endpoint site = site()) {
            String address = "http://127.0.0.1:" + site.port();
            boolean done = brief ? asks(address) : crawls(address, folder);
            return done ? ExitCode.DONE : ExitCode.FAILURE;
        } finally {
            delete(folder);
        }
    }

    private static boolean asks(String address) {
        return succeeds("status", "--coordinator", address)
                && succeeds("preview", address + "/0", "--allow-network", "127.0.0.1");
    }

    private static boolean crawls(String address, Path folder) {
        return succeeds("crawl", address + "/0", "--depth", "-1", "--delay", "0ms", "--allow-network", "127.0.0.1",
                "--concurrency", "4", "--out", folder.resolve("pages").toString(), "--data",
                folder.resolve("data").toString());
    }

    private static boolean succeeds(String... command) {
        return Trawl.commandLine(System.getenv()).execute(command) == ExitCode.DONE;
    }

    private static Endpoint site() {
        Route api = Route.open("/api" + Route.REST,
                call -> CallResponse.json(call.path().equals("/api/v1/summary") ? FLEET : List.of()));
        Route pages = Route.open(Route.REST, call -> {
            String path = call.path().substring(1);
            boolean page = path.matches("[0-9]+");
            return CallResponse.of(page ? 200 : 404, "text/html; charset=utf-8",
                    page(page ? Integer.parseInt(path) : 0).getBytes(StandardCharsets.UTF_8));
        });
        return new Endpoint(SettingsReader.from(Map.of()), 0,
                new RouteTable(List.of(api, pages), new ProblemMapping(), _ -> {}, (_, _) -> {}));
    }

    /**
     * Text and links as pages of a manual have them: what is recorded of the code that reads them shortens the next
     * crawls.
     */
    private static String page(int number) {
        StringBuilder html = new StringBuilder("<!doctype html><html lang=en><head><title>Page ").append(number)
                .append("</title><meta name=description content=\"A page\"></head><body><nav><ul>");
        for (int i = 1; i <= LINKS; i++) {
            html.append("<li><a class=\"reference internal\" href=\"/").append((number * 2 + i) % PAGES)
                    .append("\">Page ").append(i).append("</a></li>\n");
        }
        html.append("</ul></nav><main><h1 id=top>Page ").append(number).append("</h1>\n");
        for (int i = 0; i < PARAGRAPHS; i++) {
            html.append("<p>Text of the page ").append(number).append(" with a <code>name").append(i).append(
                    "</code>, <em>marked words</em> &amp; a few more of them, so that a paragraph is as long as others are.</p>\n");
        }
        return html.append("</main></body></html>").toString();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
