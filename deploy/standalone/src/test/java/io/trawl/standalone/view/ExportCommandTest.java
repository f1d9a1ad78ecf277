package io.trawl.standalone.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.format.CsvLine;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.manifest.EndedRun;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.standalone.TrawlCommand;
import io.trawl.standalone.TrawlCommand.Said;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

class ExportCommandTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private static final Instant END = Instant.parse("2026-11-20T10:00:00Z");
    private static final int PAGES = 5;
    private static final List<String> COLUMNS = List.of("key", "url", "status", "change", "epoch", "text");
    private Path root = Path.of("");
    private int exports;

    @BeforeTry
    void makeFolder() throws IOException {
        root = Files.createTempDirectory("export");
    }

    @AfterTry
    void deleteFolder() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What a run finds at a page. */
    private enum PageState {
        /** What the run before has found: a refresh stores nothing. */
        SAME, CHANGED,
        /** It has two further items. */
        MORE_ITEMS,
        /** It is stored a second time with another text, since facts were lost. */
        STORED_AGAIN,
        /** It answers 404 for the first time. */
        FAILED, GONE,
        /** It redirects permanently for the second time. */
        MOVED
    }

    /** @param whole whether the run finds its pages by itself */
    private record Round(boolean whole, String ending, List<PageState> pages) {}

    @Provide
    Arbitrary<List<Round>> rounds() {
        return Combinators
                .combine(Arbitraries.integers().between(0, 4),
                        Arbitraries.of("jsonl", "jsonl.gz", "csv.zst", "few.csv"),
                        Arbitraries.of(PageState.class).list().ofSize(PAGES))
                .as((kind, ending, pages) -> new Round(kind == 0, ending, pages)).list().ofMinSize(1).ofMaxSize(7);
    }

    @Property(tries = 100)
    void theItemsAreThoseOfTheStateAfterEachRunEachOnceAsItWasStoredLast(@ForAll("rounds") List<Round> rounds)
            throws IOException {
        Map<Integer, Map<String, String>> state = new TreeMap<>();
        List<List<String>> expected = new ArrayList<>();
        int first = 1;
        for (int epoch = 1; epoch <= rounds.size(); epoch++) {
            Round round = rounds.get(epoch - 1);
            boolean whole = round.whole() || epoch == 1;
            first = whole ? epoch : first;
            run(epoch, whole, round, state);
            expected.add(state.values().stream()
                    .flatMap(page -> page.entrySet().stream().map(item -> item.getKey() + " " + item.getValue()))
                    .sorted().toList());
        }
        for (int epoch = 1; epoch <= rounds.size(); epoch++) {
            assertThat(exported("--run", Integer.toString(epoch), "--compress", "gzip")).as("run " + epoch)
                    .isEqualTo(expected.get(epoch - 1));
        }
        assertThat(exported()).as("the newest").isEqualTo(expected.getLast());
        int items = expected.getLast().size();
        assertThat(export().out()).isEqualToIgnoringNewLines(
                "exported " + items + (items == 1 ? " item" : " items") + " of run " + rounds.size()
                        + (first == rounds.size() ? "" : " (runs " + first + " to " + rounds.size() + ")"));
    }

    /** Stores what a run finds, and finishes it. @param state what there is: is changed */
    private void run(int epoch, boolean whole, Round round, Map<Integer, Map<String, String>> state)
            throws IOException {
        if (whole) {
            state.clear();
        }
        for (int page = 0; page < PAGES; page++) {
            PageState found = round.pages().get(page);
            List<Map<String, Object>> items = switch (found) {
                case SAME -> whole ? List.of(item(epoch, page, 0, "same")) : List.of();
                case CHANGED -> List.of(item(epoch, page, 0, "as of run " + epoch));
                case MORE_ITEMS -> List.of(item(epoch, page, 2, "two"), item(epoch, page, 1, "one"));
                case STORED_AGAIN -> List.of(item(epoch, page, 0, "first"), item(epoch, page, 0, "again"));
                case FAILED, GONE, MOVED -> List.of();
            };
            for (int i = 0; i < items.size(); i++) {
                append("items", epoch, "part-0%d-%020d.%s".formatted(page % 2, 10 * epoch + i, round.ending()),
                        items.get(i));
            }
            boolean away = found == PageState.GONE || found == PageState.MOVED;
            if (found == PageState.FAILED || away) {
                Map<String, Object> error = item(epoch, page, 0, "");
                error.put("status", found == PageState.MOVED ? 301 : 404);
                error.put("change", away ? found.name().toLowerCase(Locale.ROOT) : "");
                append("errors", epoch, "part-00-%020d.%s".formatted(10 * epoch, round.ending()), error);
            }
            if (!items.isEmpty() || away) {
                state.remove(page);
            }
            Map<String, String> there = new TreeMap<>();
            items.forEach(item -> there.put((String) item.get("key"), epoch + " " + item.get("text")));
            state.computeIfAbsent(page, _ -> new TreeMap<>()).putAll(there);
        }
        finish(epoch, whole ? Optional.empty() : Optional.of(new CrawlRun(DOCS, epoch - 1)), round.ending());
    }

    private static Map<String, Object> item(int epoch, int page, int ordinal, String text) {
        String url = "http://h/" + page;
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("id", ItemId.of(new CrawlRun(DOCS, epoch), url, "rule", ordinal));
        item.put("key", ItemId.key(DOCS, url, ItemId.part("rule", Integer.toString(ordinal))));
        item.put("epoch", epoch);
        item.put("url", url);
        item.put("status", 200);
        item.put("text", text);
        return item;
    }

    /** A column lacks what it has no room for: files of comma-separated values have no ids here. */
    private void append(String kind, int epoch, String name, Map<String, Object> item) throws IOException {
        Path file = Files.createDirectories(root.resolve("pages").resolve(kind).resolve("docs-" + epoch)).resolve(name);
        FileCompression compression = FileCompression.ofName(name);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        if (Files.exists(file)) {
            try (InputStream before = compression.reading(Files.newInputStream(file))) {
                before.transferTo(lines);
            }
        } else if (name.contains("csv")) {
            lines.writeBytes(CsvLine.header(COLUMNS));
        }
        lines.writeBytes(name.contains("csv")
                ? CsvLine.of(COLUMNS.stream().map(column -> item.getOrDefault(column, "")).toList())
                : (Json.text(item) + "\n").getBytes(StandardCharsets.UTF_8));
        try (OutputStream out = compression.over(Files.newOutputStream(file))) {
            lines.writeTo(out);
        }
    }

    private void finish(int epoch, Optional<CrawlRun> refreshed, String ending) throws IOException {
        new ManifestWriter(new SinkFolder(root.resolve("pages"), "a1"), FaultPoint.NONE).write(
                new EndedRun(new CrawlRun(DOCS, epoch), END.plus(Duration.ofHours(epoch)), refreshed),
                Optional.of(new ComparedFiles(ending)));
    }

    private Path target() {
        return root.resolve("export-" + exports);
    }

    private Said export(String... more) {
        exports++;
        return TrawlCommand.run(Stream.concat(
                Stream.of("export", "docs", "--from", root.resolve("pages").toString(), "--out", target().toString()),
                Stream.of(more)).toArray(String[]::new));
    }

    /** Key, epoch and text of what an export has written. */
    private List<String> exported(String... more) throws IOException {
        Said said = export(more);
        assertThat(said.code()).as(said.err()).isZero();
        JsonNode manifest = Json.mapper().readTree(target().resolve("_manifest.json").toFile());
        Path file = target().resolve(manifest.at("/files/0/path").asText());
        List<String> items = new ArrayList<>();
        ComparedFiles.read(file, line -> {
            JsonNode item = Json.mapper().readTree(line);
            items.add(item.get("key").asText() + " " + item.get("epoch").asText() + " " + item.path("text").asText());
        });
        assertThat(manifest.get("items").asInt()).isEqualTo(items.size());
        assertThat(target().resolve("_SUCCESS")).content()
                .isEqualTo(END.plus(Duration.ofHours(manifest.get("epoch").asInt())) + "\n");
        try (Stream<Path> files = Files.list(target())) {
            assertThat(files).as("nothing else is left").hasSize(3);
        }
        return items.stream().sorted().toList();
    }

    private void twoRuns() throws IOException {
        append("items", 1, "part-00-00000000000000000000.jsonl", item(1, 0, 0, "a"));
        append("items", 1, "part-00-00000000000000000000.jsonl", item(1, 1, 0, "b"));
        finish(1, Optional.empty(), "jsonl");
        append("items", 2, "part-00-00000000000000000002.jsonl", item(2, 1, 0, "c"));
        finish(2, Optional.of(new CrawlRun(DOCS, 1)), "jsonl");
    }

    private void assertRefused(Said said, int code, String message) {
        assertThat(said.code()).isEqualTo(code);
        assertThat(said.err()).startsWith("trawl: ").contains(message).hasLineCount(1);
        assertThat(target().resolve("_SUCCESS")).doesNotExist();
        assertThat(target().resolve("items.jsonl")).doesNotExist();
    }

    @Example
    void whatIsMissingIsSaidInASentenceAndNothingIsWritten() throws IOException {
        assertRefused(export(), 3, "no finished run of docs is in " + root.resolve("pages"));
        twoRuns();
        assertRefused(export("--run", "7"), 3, "the run docs/7 is not in ");
        Path items = root.resolve("pages/items");
        Path file = items.resolve("docs-2/part-00-00000000000000000002.jsonl");
        Files.move(file, root.resolve("moved"));
        assertRefused(export(), 3, "1 item of docs/2 is in none of its files");
        Files.move(items.resolve("docs-1"), root.resolve("elsewhere"));
        assertRefused(export(), 3, "docs-1 is not there any more, and run 2 holds only what has changed since");
        Files.move(root.resolve("elsewhere"), items.resolve("docs-1"));
        Files.move(root.resolve("moved"), file);
        assertThat(export().code()).isZero();
        Path keys = items.resolve("docs-2/_keys.gz");
        Files.write(keys, Arrays.copyOf(Files.readAllBytes(keys), 90));
        assertRefused(export(), 2, "is damaged");
        Files.delete(keys);
        assertRefused(export(), 3, "docs-2 has no file _keys.gz: its files say too little");
    }

    @Example
    void theFolderIsEmptyOrDoesNotExist() throws IOException {
        twoRuns();
        exports = 1;
        Files.createDirectory(target());
        exports = 0;
        assertThat(export().code()).isZero();
        exports = 0;
        Said again = export();
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("a folder that is empty or does not exist (it has ").hasLineCount(1);
    }

    @Example
    void aRunOfAnotherDeploymentWithTheSameNumberIsNotTakenForTheOneBefore() throws IOException {
        twoRuns();
        Path items = root.resolve("pages/items");
        assertThat(items.resolve("docs-2/" + SinkFolder.mark("a1"))).exists();
        Files.move(items.resolve("docs-1"), items.resolve("docs-1@a1"));
        Files.createFile(items.resolve("docs-1@a1/" + SinkFolder.mark("a1")));
        append("items", 1, "part-00-00000000000000000000.jsonl", item(1, 0, 0, "of another deployment"));
        Files.createFile(items.resolve("docs-1/" + SinkFolder.mark("b2")));
        assertThat(exported()).hasSize(2).noneMatch(item -> item.contains("another deployment"));
    }
}
