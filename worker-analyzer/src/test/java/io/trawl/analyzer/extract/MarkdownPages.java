package io.trawl.analyzer.extract;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.extract.markdown.Markdown;
import io.trawl.extract.markdown.RoundTrip;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/**
 * Compares the Markdown of the main text with the text on the HTML files of folders, compressed or not, and prints the
 * pages that differ, by kind; or, with {@code -Dtime=true}, measures both. Run by hand:
 * {@code java ... io.trawl.analyzer.extract.MarkdownPages FOLDER FOLDER}.
 */
public final class MarkdownPages {
    private static final String BASE = "http://example.org/a/b.html";
    private static final int ROUNDS = 8;
    private static final int LONGEST = 600;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Map<String, Integer> counts = new TreeMap<>();

    private MarkdownPages() {}

    public static void main(String[] args) throws IOException {
        MarkdownPages pages = new MarkdownPages();
        List<Path> files = new ArrayList<>();
        for (String folder : args) {
            try (Stream<Path> all = Files.walk(Path.of(folder), FileVisitOption.FOLLOW_LINKS)) {
                all.filter(file -> file.toString().matches(".*\\.html(\\.gz)?")).sorted().forEach(files::add);
            }
        }
        if (Boolean.getBoolean("time")) {
            pages.measure(files);
        } else {
            pages.compare(files);
        }
    }

    private void compare(List<Path> files) throws IOException {
        for (Path file : files) {
            ReadableText main = ReadableText.read(document(file));
            RoundTrip.differences(main.text(), main.markup()).forEach((kind, place) -> {
                counts.merge(kind, 1, Integer::sum);
                out.println(kind + " | " + file.getFileName() + " | "
                        + place.substring(0, Math.min(place.length(), LONGEST)));
            });
        }
        out.println(files.size() + " pages, with differences: " + counts);
    }

    private void measure(List<Path> files) throws IOException {
        List<Document> documents = new ArrayList<>();
        for (Path file : files) {
            documents.add(document(file));
        }
        for (int round = 0; round < ROUNDS; round++) {
            double text = millis(documents, document -> ReadableText.read(document).text().length());
            double copy = millis(documents, document -> {
                ReadableText main = ReadableText.read(document);
                return main.text().length() + main.markup().childNodeSize();
            });
            double both = millis(documents, document -> {
                ReadableText main = ReadableText.read(document);
                return main.text().length() + Markdown.of(main.markup(),
                        reference -> UrlNormalizer.resolve(BASE, reference) instanceof NormalUrl url
                                ? Optional.of(url.text() + UrlNormalizer.fragment(reference))
                                : Optional.empty(),
                        _ -> false).length();
            });
            out.printf(
                    "ms of CPU per page: text %.3f, and its elements %.3f, and Markdown %.3f; more than text: %.3f%n",
                    text, copy, both, both - text);
        }
    }

    private static double millis(List<Document> documents, ToIntFunction<Document> read) {
        long characters = 0;
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (Document document : documents) {
            characters += read.applyAsInt(document);
        }
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return characters == 0 ? 0 : (end - start) / 1e6 / documents.size();
    }

    private static Document document(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (file.toString().endsWith(".gz")) {
            bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
        }
        return Jsoup.parse(new ByteArrayInputStream(bytes), null, "http://example.org/" + file.getFileName());
    }
}
