package io.trawl.analyzer.extract;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.model.Response;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the parser on the HTML files of a folder, or prints the parsed fields of the named files. Run by hand:
 * {@code java ... io.trawl.analyzer.extract.RealPages FOLDER} or {@code ... FILE FILE}.
 */
public final class RealPages {
    private static final int ROUNDS = 12;
    private static final int MOST = 600;

    private RealPages() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path first = Path.of(args[0]);
        if (Files.isDirectory(first)) {
            measure(first, out);
            return;
        }
        for (String file : args) {
            ParsedPage parsedPage = new Parsers(List.of(new HtmlParser(1_000_000)), 10_000)
                    .parse(new FetchedPage(response(Path.of(file)), Fixtures.definition("{}")));
            out.println("=== " + file + "\n"
                    + parsedPage.fields().entrySet().stream().filter(e -> !e.getKey().equals("text")).toList()
                    + " links " + parsedPage.links().map(List::size).orElse(-1) + "\n"
                    + parsedPage.fields().get("text"));
        }
    }

    private static Response response(Path file) throws IOException {
        return Fixtures.page("http://example.org/" + file.getFileName(), Map.of("content-type", "text/html"),
                Files.readAllBytes(file));
    }

    private static void measure(Path folder, PrintStream out) throws IOException {
        List<Response> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".html")).limit(MOST).toList()) {
                pages.add(response(file));
            }
        }
        long bytes = pages.stream().mapToLong(p -> p.body().length()).sum();
        out.printf("%d pages, %.1f KB each%n", pages.size(), bytes / 1024.0 / pages.size());
        Parsers parsers = new Parsers(List.of(new HtmlParser(1_000_000)), 10_000);
        for (String text : List.of("false", "true")) {
            for (int round = 0; round < ROUNDS; round++) {
                long start = Time.system().nanos();
                long links = 0;
                for (Response page : pages) {
                    links += parsers
                            .parse(new FetchedPage(page, Fixtures.definition("{\"extract\":{\"text\":" + text + "}}")))
                            .links().map(List::size).orElse(0);
                }
                double micros = (Time.system().nanos() - start) / 1e3 / pages.size();
                out.printf("text %s: %.0f us a page, %.0f MB/s, %.1f links%n", text, micros,
                        bytes / 1.048576 / (micros * pages.size()), (double) links / pages.size());
            }
        }
    }
}
