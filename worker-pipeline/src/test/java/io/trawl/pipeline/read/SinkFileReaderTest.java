package io.trawl.pipeline.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SinkFileReaderTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    @TempDir
    Path root;
    private long nanos;

    private static FileFormat format(String type, String compress) {
        return FileFormat.of(
                SinkDefinition.files(type, Optional.of("x"), Optional.of(compress), List.of("url", "title")),
                List.of());
    }

    private void write(String name, FileCompression compression, String text) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        try (OutputStream out = compression.over(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<String> all(FileFormat format, String url, int limit) throws Exception {
        SinkFileReader reader = new SinkFileReader(new SinkFolder(root, "a1"), () -> nanos);
        List<String> lines = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        boolean complete = false;
        while (!complete) {
            ReadPage page = reader.page(new ItemQuery(RUN, EnumSet.allOf(ItemKind.class), url, false, cursor, limit),
                    format);
            page.lines().forEach(line -> lines.add(new String(line, StandardCharsets.UTF_8)));
            cursor = page.head().next();
            complete = page.head().complete();
        }
        return lines;
    }

    @Test
    void theFilesOfASinkOfChunksAreInTheirFolder() throws Exception {
        write("chunks/docs-1/part-00-00000000000000000000.jsonl", FileCompression.NONE, "{\"url\":\"a\"}\n");
        write("items/docs-1/part-00-00000000000000000000.jsonl", FileCompression.NONE, "{\"url\":\"b\"}\n");
        FileFormat chunks = FileFormat
                .of(Json.read("{\"type\":\"jsonl\",\"from\":\"chunks\"}".getBytes(StandardCharsets.UTF_8),
                        SinkDefinition.class), List.of());
        assertThat(all(chunks, "", 10)).containsExactly("{\"url\":\"a\"}");
    }

    @Test
    void compressedLinesComeFromTheBeginningOnceEachWhateverTheLimitIs() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.x.jsonl.gz", FileCompression.GZIP,
                "{\"url\":\"a\"}\n{\"url\":\"b\"}\n{\"url\":\"c\"}\n");
        write("items/docs-1/part-00-00000000000000000007.x.jsonl.gz", FileCompression.GZIP, "{\"url\":\"d\"}\n");
        write("items/docs-1/part-00-00000000000000000009.x.jsonl.gz.n-1.part", FileCompression.GZIP,
                "{\"url\":\"no\"}\n");
        write("items/docs-1/part-00-00000000000000000000.jsonl", FileCompression.NONE, "{\"url\":\"no\"}\n");
        write("errors/docs-1/part-01-00000000000000000000.x.jsonl.gz", FileCompression.GZIP, "{\"url\":\"e\"}\n");
        for (int limit = 1; limit < 7; limit++) {
            assertThat(all(format("jsonl", "gzip"), "", limit)).containsExactly("{\"url\":\"e\"}", "{\"url\":\"a\"}",
                    "{\"url\":\"b\"}", "{\"url\":\"c\"}", "{\"url\":\"d\"}");
        }
        assertThat(all(format("jsonl", "gzip"), "c", 10)).containsExactly("{\"url\":\"c\"}");
        assertThat(all(format("csv", "gzip"), "", 10)).isEmpty();
    }

    @Test
    void rowsBecomeObjectsOfTheirColumnsThatAreNotEmpty() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.x.csv.zst", FileCompression.ZSTD,
                "url,title\nhttp://h/a,\"two\n\"\"lines\"\"\"\nhttp://h/b,\n");
        assertThat(all(format("csv", "zstd"), "", 1)).containsExactly(
                "{\"url\":\"http://h/a\",\"title\":\"two\\n\\\"lines\\\"\"}", "{\"url\":\"http://h/b\"}");
    }

    @Test
    void aPageEndsInTimeAndStillMovesOn() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.x.csv.zst", FileCompression.ZSTD, "url\na\nb\n");
        SinkFileReader slow = new SinkFileReader(new SinkFolder(root, "a1"), () -> nanos += 3_000_000_000L);
        ReadPage page = slow.page(new ItemQuery(RUN, EnumSet.allOf(ItemKind.class), "", false, Optional.empty(), 9),
                format("csv", "zstd"));
        assertThat(page.lines()).hasSize(1);
        assertThat(page.head().next()).contains("items/docs-1/part-00-00000000000000000000.x.csv.zst:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../etc/passwd", "../etc/passwd:1", ":5", "5", "items/docs-1/part-0-0.csv.zst:-1"})
    void aCursorThatIsNoneIsRefused(String cursor) {
        assertThatThrownBy(() -> new SinkFileReader(new SinkFolder(root, "a1"), () -> nanos).page(
                new ItemQuery(RUN, EnumSet.allOf(ItemKind.class), "", false, Optional.of(cursor), 9),
                format("csv", "zstd"))).isInstanceOf(InvalidValueException.class).hasMessageContaining("cursor");
    }
}
