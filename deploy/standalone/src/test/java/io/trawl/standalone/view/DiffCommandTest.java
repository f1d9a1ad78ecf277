package io.trawl.standalone.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.manifest.KeptRuns;
import io.trawl.pipeline.manifest.EndedRun;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.standalone.TrawlCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private static final String URL = "http://h/guide";
    @TempDir
    private Path out;

    private static String item(int epoch, String fields) {
        return "{\"id\":\"i" + epoch + "\",\"key\":\"" + ItemId.key(DOCS, URL) + "\",\"crawl\":\"docs\",\"epoch\":"
                + epoch + ",\"url\":\"" + URL + "\"," + fields + "}\n";
    }

    @BeforeEach
    void twoRuns() throws Exception {
        run(1, item(1,
                "\"title\":\"A guide\",\"text\":\"One\\nThe old way is good.\",\"links\":[\"http://h/a\",\"http://h/b\"]"));
        run(2, item(2,
                "\"title\":\"The guide\",\"text\":\"One\\nThe new way is good.\",\"links\":[\"http://h/b\",\"http://h/c\"]"));
    }

    private void run(int epoch, String lines) throws Exception {
        Path folder = Files.createDirectories(out.resolve("items/docs-" + epoch));
        Files.writeString(folder.resolve("part-00-00000000000000000000.jsonl"), lines);
        SinkFolder sinks = new SinkFolder(out, "a1");
        new ManifestWriter(sinks, FaultPoint.NONE).write(
                new EndedRun(new CrawlRun(DOCS, epoch), Instant.parse("2026-11-2" + epoch + "T10:00:00Z")),
                ComparedFiles.of(List.of()));
        new KeptRuns(out, List.of("a1")).settle(DOCS, 2);
    }

    private TrawlCommand.Said diff(String... more) {
        return TrawlCommand.run(Stream.concat(Stream.of("diff", "docs", "--out", out.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void listsTheChangesOfTheNewestFinishedRun() {
        assertThat(diff().out()).isEqualToNormalizingNewlines("""
                since run 1: changed 1, unchanged 0
                changed   http://h/guide, The guide
                """);
        assertThat(diff("--run", "2", "--json").out())
                .startsWith("{\"epoch\":2,\"change\":\"changed\",\"url\":\"http://h/guide\",\"key\":\"")
                .contains("\"id\":\"i2\"");
    }

    @Test
    void listsTheChangesOfAllRunsSinceATimeRunByRun() throws Exception {
        run(3, item(3, "\"title\":\"Guides\",\"text\":\"Two\""));
        assertThat(diff("--since", "2026-11-21T12:00Z").out()).isEqualToNormalizingNewlines("""
                since run 1: changed 1, unchanged 0
                changed   http://h/guide, The guide
                since run 2: changed 1, unchanged 0
                changed   http://h/guide, Guides
                """);
        assertThat(diff("--since", "1", "--json").out().lines()).hasSize(2);
        assertThat(diff(URL, "--since", "1").out()).contains("- title: A guide", "+ title: Guides");
        assertThat(diff("--since", "2026-12-01").out().strip()).isEqualTo("since run 3: no run has finished");
        assertThat(diff("--since", "now").code()).isEqualTo(2);
    }

    @Test
    void showsTheFieldsOfAPageThatDifferAndItsTextByWords() {
        assertThat(diff(URL).out()).startsWith(URL + ", The guide (" + ItemId.key(DOCS, URL) + ")\n");
        assertThat(diff(URL).out().lines().skip(1)).containsExactly("- title: A guide", "+ title: The guide", "  text:",
                "    The [-old-]{+new+} way is good.", "- links: http://h/a", "+ links: http://h/c");
        assertThat(diff(URL, "--json").out()).contains("\"title\":{\"before\":\"A guide\",\"now\":\"The guide\"}")
                .doesNotContain("epoch");
    }

    @Test
    void namesEachItemOfAPageByItsUrlTypePlaceAndTitle() throws Exception {
        String shop = "http://h/shop";
        String first = ItemId.key(DOCS, shop, ItemId.part(ItemId.TYPE + "offer", "1"));
        String second = ItemId.key(DOCS, shop, ItemId.part(ItemId.TYPE + "offer", "2"));
        for (int epoch = 3; epoch <= 4; epoch++) {
            run(epoch, offer(epoch, first, shop, 1, "\"title\":\"Oar\",")
                    + offer(epoch, second, shop, 2, "\"wood\":\"Ash\\nand\\toak\","));
        }
        assertThat(diff().out().lines().skip(1)).containsExactlyInAnyOrder("changed   http://h/shop, offer 1, Oar",
                "changed   http://h/shop, offer 2, Ash and oak");
        assertThat(diff("--json").out()).contains("\"key\":\"" + first + "\",\"name\":\"offer 1, Oar\"", second);
        assertThat(diff(shop).out().lines()).containsExactlyInAnyOrder("http://h/shop, offer 1, Oar (" + first + ")",
                "- price: 3", "+ price: 4", "http://h/shop, offer 2, Ash and oak (" + second + ")", "- price: 3",
                "+ price: 4");
    }

    private static String offer(int epoch, String key, String url, int ordinal, String title) {
        return "{\"id\":\"i" + epoch + ordinal + "\",\"key\":\"" + key + "\",\"crawl\":\"docs\",\"epoch\":" + epoch
                + ",\"url\":\"" + url + "\",\"type\":\"offer\",\"ordinal\":" + ordinal + "," + title + "\"price\":"
                + epoch + "}\n";
    }

    @Test
    void saysInASentenceWhatIsNotThere() throws Exception {
        assertThat(diff("--run", "1")).satisfies(said -> {
            assertThat(said.code()).isEqualTo(3);
            assertThat(said.err()).startsWith("trawl: ").contains("docs-1 was compared with no other run");
        });
        assertThat(diff("--run", "7")).satisfies(said -> {
            assertThat(said.code()).isEqualTo(3);
            assertThat(said.err()).contains("the run docs/7 is not in " + out);
        });
        assertThat(diff("http://h/none").code()).isEqualTo(3);
        Files.move(out.resolve("items/docs-1"), out.resolve("elsewhere"));
        assertThat(diff(URL)).satisfies(said -> {
            assertThat(said.code()).isEqualTo(3);
            assertThat(said.err()).contains("docs-1 is not there any more").hasLineCount(1);
        });
        assertThat(diff().code()).as("the list needs no other run").isZero();
    }
}
