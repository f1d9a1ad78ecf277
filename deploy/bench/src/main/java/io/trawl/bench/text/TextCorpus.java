package io.trawl.bench.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Pages with their main text as people have marked it, in the form of a public benchmark, which has a script that
 * scores results.
 */
public sealed interface TextCorpus {
    /** A page. @param type its kind, such as forum @param hasText whether any of it is main text */
    record MarkedPage(String id, String type, boolean hasText, Path file) {
        /** Its HTML. */
        public String html() throws IOException {
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    /** What the script says of a type of pages, or of all. */
    record Score(double f1, double precision, double recall) {}

    /** The name of the type that stands for all pages. */
    String ALL = "all";

    /** The name of the corpus in the stored figures. */
    String name();

    /** The pages, in a fixed order. */
    List<MarkedPage> pages() throws IOException;

    /**
     * The scores by type of page, and of all pages, as the benchmark's own script finds them; needs {@code python3}.
     *
     * @param texts by the name of the page
     * @param folder for the files of the results; exists
     */
    Map<String, Score> scores(Map<String, String> texts, Path folder) throws IOException, InterruptedException;

    /**
     * The corpus in a folder.
     *
     * @param part of a corpus that has parts: dev or test
     * @throws IllegalArgumentException if it is no known corpus
     */
    static TextCorpus in(Path folder, String part) {
        if (!Files.isRegularFile(folder.resolve("evaluate.py"))) {
            throw new IllegalArgumentException(
                    "--corpus " + folder + ": has no evaluate.py, so it is no known benchmark");
        }
        if (Files.isRegularFile(folder.resolve("ground-truth.json"))) {
            return new Articles(folder);
        }
        if (Files.isDirectory(folder.resolve(part).resolve("ground-truth"))) {
            return new Wcxb(folder, part);
        }
        throw new IllegalArgumentException(
                "--corpus " + folder + ": has neither ground-truth.json nor " + part + "/ground-truth");
    }

    /** The Web Content Extraction Benchmark: seven types of pages. */
    record Wcxb(Path folder, String part) implements TextCorpus {
        @Override
        public String name() {
            return "wcxb-" + part;
        }

        @Override
        public List<MarkedPage> pages() throws IOException {
            List<MarkedPage> pages = new ArrayList<>();
            List<Path> files;
            try (var all = Files.list(folder.resolve(part).resolve("ground-truth"))) {
                files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
            }
            for (Path file : files) {
                JsonNode marked = Json.mapper().readTree(file.toFile());
                String id = file.getFileName().toString().replace(".json", "");
                if (marked.path("ground_truth").isObject()) {
                    String type = marked.path("_internal").path("page_type").path("primary").asText("article");
                    pages.add(new MarkedPage(id, type.equals("category") ? "collection" : type,
                            !marked.path("ground_truth").path("main_content").asText("").isBlank(),
                            folder.resolve(part).resolve("html").resolve(id + ".html.gz")));
                }
            }
            return pages;
        }

        @Override
        public Map<String, Score> scores(Map<String, String> texts, Path results)
                throws IOException, InterruptedException {
            Path file = results.resolve(name() + ".json");
            Json.mapper().writeValue(file.toFile(), texts);
            String printed = Script.run(results, folder.resolve("evaluate.py"), "--split", part, "--results",
                    file.toAbsolutePath().toString(), "--per-type");
            return WcxbTables.read(printed);
        }
    }

    /** The article extraction benchmark of Scrapinghub. */
    record Articles(Path folder) implements TextCorpus {
        @Override
        public String name() {
            return "articles";
        }

        @Override
        public List<MarkedPage> pages() throws IOException {
            List<MarkedPage> pages = new ArrayList<>();
            Json.mapper().readTree(folder.resolve("ground-truth.json").toFile()).properties()
                    .forEach(page -> pages.add(new MarkedPage(page.getKey(), "article",
                            !page.getValue().path("articleBody").asText("").isBlank(),
                            folder.resolve("html").resolve(page.getKey() + ".html.gz"))));
            return pages;
        }

        @Override
        public Map<String, Score> scores(Map<String, String> texts, Path results)
                throws IOException, InterruptedException {
            ObjectNode output = Json.mapper().createObjectNode();
            texts.forEach((page, text) -> output.putObject(page).put("articleBody", text));
            Path predictions = Files.createDirectories(results.resolve("output"));
            Json.mapper().writeValue(predictions.resolve("trawl.json").toFile(), output);
            // The script reads both from the folder that it runs in.
            Files.write(results.resolve("ground-truth.json"), Files.readAllBytes(folder.resolve("ground-truth.json")));
            Script.run(results, folder.resolve("evaluate.py"), "--output", "scores.json");
            JsonNode score = Json.mapper().readTree(results.resolve("scores.json").toFile()).path("trawl");
            Map<String, Score> scores = new TreeMap<>();
            scores.put(ALL, new Score(score.path("f1").asDouble(), score.path("precision").asDouble(),
                    score.path("recall").asDouble()));
            return scores;
        }
    }
}
