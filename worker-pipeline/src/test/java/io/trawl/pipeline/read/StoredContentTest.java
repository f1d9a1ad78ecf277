package io.trawl.pipeline.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.RefreshRules;
import io.trawl.definition.sink.SinkDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredContentTest {
    private static StoredContent of(String fields) throws IOException {
        return StoredContent.of(("{\"id\":\"i\",\"key\":\"k\",\"crawl\":\"docs\",\"url\":\"http://h/\"," + fields + "}")
                .getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "title":"a","text":"b","sha256":"1"    | "title":"a","text":"b","sha256":"2","links":["x"] | true
            "title":"a","text":"b"                 | "title":"a","text":"c"                            | false
            "title":"a","text":"b"                 | "title":"ab","text":""                            | false
            "title":"a","noText":"off","sha256":"1"| "title":"b","noText":"off","sha256":"1"           | true
            "noText":"type","sha256":"1"           | "noText":"type","sha256":"2"                      | false
            "type":"offer","sha256":"1","price":5,"tags":["a"] | "tags":["a"],"type":"offer","etag":"x","price":5 | true
            "type":"offer","a":"x\\n","b":"y"       | "b":"y","a":"x\\n","type":"offer"                 | true
            "type":"offer","price":5               | "type":"offer","price":6                          | false
            "type":"offer","price":5               | "type":"offer"                                    | false
            "parser":"p","title":"a","n":1         | "parser":"p","title":"b","n":1                    | false
            """)
    void contentIsTitleAndTextOrTheBytesAndOfFurtherItemsTheirOwnFields(String one, String other, boolean equal)
            throws IOException {
        assertThat(of(one).digest().equals(of(other).digest())).isEqualTo(equal);
        assertThat(of(one).digest()).matches("[0-9a-f]{32}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "title":"A guide","text":"b"                             | A guide
            "text":"b"                                               | ``
            "type":"offer","ordinal":2,"price":5,"title":"Oar"       | offer 2, Oar
            "type":"offer","ordinal":"2","sha256":"x","price":5,"wood":"a\\n\\tb","tree":"c" | offer 2, a b
            "type":"quote","ordinal":1,"text":"To be","author":"W"   | quote 1, To be
            "type":"quote","ordinal":1,"author":"W","text":"To be"   | quote 1, W
            "type":"offer","ordinal":3,"price":5,"tags":["a"]        | offer 3
            "type":"","parser":"","ordinal":"","title":"A guide"     | A guide
            "parser":"tables","ordinal":0                            | tables 0
            """)
    void aPersonKnowsAnItemByItsTypePlaceAndTitleOrFirstText(String fields, String name) throws IOException {
        assertThat(of(fields).name()).isEqualTo(name);
    }

    @Test
    void aNameIsOneShortLine() throws IOException {
        String name = of("\"title\":\"" + "a".repeat(79) + "🦊 fox\"").name();
        assertThat(name).isEqualTo("a".repeat(79) + "…");
        assertThat(of("\"title\":\"" + "a".repeat(80) + "\"").name()).isEqualTo("a".repeat(80));
    }

    @Test
    void aLineSaysWhatBecameOfThePageAlsoInCommaSeparatedValues() throws IOException {
        StoredContent line = of("\"status\":404,\"redirects\":[{\"url\":\"http://h/a\",\"status\":301}]");
        assertThat(line.status()).isEqualTo(404);
        assertThat(line.redirects()).containsExactly("http://h/a");
        assertThat(of("\"status\":\"404\",\"redirects\":\"[{\\\"url\\\":\\\"http://h/a\\\"}]\"")).isEqualTo(line);
        assertThat(StoredContent.of("{\"id\":\"i\",\"url\":\"http://h/\"}".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(StoredContent.of("{\"id".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    private static Optional<String> ending(SinkDefinition... sinks) {
        return ComparedFiles.of(List.of(sinks)).map(ComparedFiles::ending);
    }

    @Test
    void aCrawlThatIsRefreshedNeedsToKnowWhatIsGone() {
        CrawlDefinition plain = CrawlDefinition.of(List.of())
                .withSinks(List.of(sink("jsonl", "", List.of(), "key", "url", "status", "text")));
        CrawlDefinition refreshed = plain.withRefresh(Optional.of(RefreshRules.DEFAULT));
        assertThat(ComparedFiles.of(plain)).isPresent();
        assertThat(ComparedFiles.of(refreshed)).isEmpty();
        assertThat(ComparedFiles.of(
                refreshed.withSinks(List.of(sink("jsonl", "", List.of(), "key", "url", "status", "text", "change")))))
                .isPresent();
        assertThat(ComparedFiles.of(refreshed.withSinks(List.of()))).isPresent();
    }

    private static SinkDefinition sink(String type, String compress, List<String> types, String... fields) {
        return new SinkDefinition(type, Optional.empty(), Optional.of(compress).filter(word -> !word.isEmpty()), types,
                List.of(fields), Map.of(), Optional.empty());
    }

    @Test
    void runsAreComparedByAFileThatSaysEnoughAndByNoOther() {
        assertThat(ending()).contains("jsonl");
        assertThat(ending(sink("parquet", "", List.of()))).isEmpty();
        assertThat(ending(sink("csv", "", List.of(), "url", "title"))).isEmpty();
        assertThat(ending(sink("jsonl", "", List.of("page")))).isEmpty();
        assertThat(ending(sink("parquet", "", List.of()),
                sink("csv", "gzip", List.of(), "url", "key", "status", "text"), sink("warc", "", List.of())))
                .contains("csv.gz");
        assertThat(ending(sink("jsonl", "zstd", List.of()), sink("jsonl", "", List.of("page", "error"))))
                .contains("jsonl");
    }
}
