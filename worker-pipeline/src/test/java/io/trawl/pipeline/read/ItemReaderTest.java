package io.trawl.pipeline.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.ItemKind;
import io.trawl.direct.ItemPage;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import io.trawl.pipeline.sink.SinkFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ItemReaderTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    @TempDir
    Path root;

    private ItemReader reader() {
        return new ItemReader(new SinkFolder(root, "a1"), () -> 0);
    }

    private static String line(int second, String path) {
        return "{\"id\":\"x\",\"crawl\":\"docs\",\"url\":\"http://h/" + path + "\",\"fetchedAt\":\"2026-11-22T10:00:"
                + (second < 10 ? "0" : "") + second + ".000Z\",\"text\":\""
                + "t".repeat(path.equals("long") ? 200_000 : 10) + "\"}\n";
    }

    private void write(String name, String... lines) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("", lines), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private ReadPage page(String url, boolean newestFirst, Optional<String> cursor, int limit) throws Exception {
        return reader().page(new ItemQuery(RUN, EnumSet.allOf(ItemKind.class), url, newestFirst, cursor, limit));
    }

    private static List<String> paths(ReadPage page) {
        return page.lines().stream()
                .map(line -> new String(line, StandardCharsets.UTF_8).replaceAll(".*http://h/([^\"]*)\".*", "$1"))
                .toList();
    }

    private List<String> all(boolean newestFirst, int limit) throws Exception {
        List<String> paths = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        boolean complete = false;
        while (!complete) {
            ReadPage page = page("", newestFirst, cursor, limit);
            paths.addAll(paths(page));
            cursor = page.head().next();
            complete = page.head().complete();
        }
        return paths;
    }

    private void threeFiles() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.jsonl", line(1, "a"), line(4, "d"));
        write("items/docs-1/part-00-00000000000000000007.jsonl.n-1.part", line(5, "long"), line(8, "h"),
                "{\"id\":\"half");
        write("items/docs-1/part-01-00000000000000000000.jsonl", line(2, "b"), line(6, "f"));
        write("errors/docs-1/part-01-00000000000000000000.jsonl", line(3, "c"), line(7, "g"));
        write("items/docs-2/part-01-00000000000000000000.jsonl", line(9, "otherRun"));
    }

    @Test
    void allPartitionsKindsAndFilesAreMergedByTimeInEitherOrderAndInPagesOfAnySize() throws Exception {
        threeFiles();
        List<String> oldestFirst = List.of("a", "b", "c", "d", "long", "f", "g", "h");
        for (int limit = 1; limit < 10; limit++) {
            assertThat(all(false, limit)).as("limit " + limit).isEqualTo(oldestFirst);
            assertThat(all(true, limit)).as("limit " + limit).isEqualTo(oldestFirst.reversed());
        }
    }

    @Test
    void theNewestCursorIsFollowedByWhatIsWrittenLaterAndNothingElse() throws Exception {
        threeFiles();
        ItemPage head = page("", true, Optional.empty(), 3).head();
        assertThat(paths(page("", false, head.newest(), 100))).isEmpty();
        write("items/docs-1/part-00-00000000000000000007.jsonl.n-1.part", "\"}\n", line(11, "k"));
        write("items/docs-1/part-02-00000000000000000000.jsonl.n-2.part", line(12, "l"));
        ReadPage later = page("", false, head.newest(), 100);
        assertThat(paths(later).subList(1, 3)).containsExactly("k", "l");
        assertThat(later.lines()).hasSize(3);
        Files.move(root.resolve("items/docs-1/part-00-00000000000000000007.jsonl.n-1.part"),
                root.resolve("items/docs-1/part-00-00000000000000000007.jsonl"));
        assertThat(page("", false, later.head().next(), 100).lines()).as("a file that got its name").isEmpty();
    }

    @Test
    void aSearchFindsPartsOfUrlsOnly() throws Exception {
        threeFiles();
        assertThat(paths(page("h/lon", true, Optional.empty(), 100))).containsExactly("long");
        assertThat(page("tttt", true, Optional.empty(), 100).head().scanned()).isEqualTo(8);
        assertThat(page("tttt", true, Optional.empty(), 100).lines()).isEmpty();
    }

    @Test
    void aPlaceLeadsToItsItem() throws Exception {
        threeFiles();
        ReadPage page = page("", true, Optional.empty(), 100);
        for (int i = 0; i < page.lines().size(); i++) {
            assertThat(reader().item(RUN, page.head().places().get(i))).hasValue(page.lines().get(i));
        }
        assertThat(reader().item(RUN, "i0.0.3")).isEmpty();
        assertThat(reader().item(RUN, "i9.0.0")).isEmpty();
        assertThatThrownBy(() -> reader().item(RUN, "../x")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aFileThatADeadProcessLeftIsNotReadBesideTheOneThatReplacesIt() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.jsonl.dead-1.part", line(1, "a"), line(2, "b"));
        Files.setLastModifiedTime(root.resolve("items/docs-1/part-00-00000000000000000000.jsonl.dead-1.part"),
                java.nio.file.attribute.FileTime.fromMillis(1_000));
        write("items/docs-1/part-00-00000000000000000000.jsonl.live-1.part", line(1, "a"));
        assertThat(all(false, 10)).containsExactly("a");
        write("items/docs-1/part-00-00000000000000000000.jsonl", line(1, "a"), line(2, "b"), line(3, "c"));
        assertThat(all(false, 10)).containsExactly("a", "b", "c");
    }

    @Test
    void aPageEndsAtItsBytesAndGoesOnThere() throws Exception {
        String[] lines = new String[50];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = line(i, "long");
        }
        write("items/docs-1/part-00-00000000000000000000.jsonl", lines);
        ReadPage page = page("", true, Optional.empty(), 1000);
        assertThat(page.lines()).hasSizeBetween(10, 25);
        assertThat(page.head().complete()).isFalse();
        assertThat(all(true, 1000)).hasSize(50);
    }

    @Test
    void aRunWithoutFilesHasNoItemsAndAStrangeCursorIsRefused() throws Exception {
        assertThat(page("", true, Optional.empty(), 10).head())
                .isEqualTo(new ItemPage(List.of(), Optional.empty(), Optional.empty(), true, 0));
        assertThatThrownBy(() -> page("", true, Optional.of("i0.x"), 10)).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("cursor");
        assertThatThrownBy(() -> page("", true, Optional.of("i7.0.0"), 10)).as("of another run, or of other kinds")
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("cursor: 'i7.0.0' is not valid");
        assertThat(page("", false, Optional.of("i7.0.0"), 10).head().complete())
                .as("what comes may be in any partition").isTrue();
    }
}
