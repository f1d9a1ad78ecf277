package io.trawl.bench.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.bench.text.TextCorpus.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Corpora are known by their files, and their scripts' tables are read. */
class TextCorpusTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderIsKnownByItsFiles() throws IOException {
        assertThatThrownBy(() -> TextCorpus.in(folder, "dev")).hasMessageContaining("has no evaluate.py");
        Files.writeString(folder.resolve("evaluate.py"), "");
        assertThatThrownBy(() -> TextCorpus.in(folder, "dev")).hasMessageContaining("dev/ground-truth");
        Files.createDirectories(folder.resolve("dev/ground-truth"));
        assertThat(TextCorpus.in(folder, "dev").name()).isEqualTo("wcxb-dev");
        Files.writeString(folder.resolve("ground-truth.json"), "{}");
        assertThat(TextCorpus.in(folder, "dev").name()).isEqualTo("articles");
    }

    @Test
    void theTablesOfTheScriptAreRead() {
        assertThat(WcxbTables.read("""
                Overall (2 pages):
                  Precision:  0.7775
                  Recall:     0.9069
                  F1:         0.8085
                  With snippets:    79.7%

                Per page type:
                  Type                 N      F1       P       R
                  --------------------------------------------
                  article            793   0.911   0.871   0.982
                  forum              113   0.589   0.530   0.754
                """)).containsEntry("all", new Score(0.8085, 0.7775, 0.9069))
                .containsEntry("forum", new Score(0.589, 0.530, 0.754)).hasSize(3);
        assertThatThrownBy(() -> WcxbTables.read("Error: no such file")).hasMessageContaining("no such file");
    }

    @Test
    void theStoredScoresHaveAColumnForEachProgram() throws IOException {
        StoredScores stored = StoredScores.of("wcxb-dev");
        assertThat(stored.names()).startsWith("Trawl stored").contains("rs-trafilatura");
        assertThat(stored.rows()).hasSize(8)
                .allSatisfy((type, scores) -> assertThat(scores).as(type).hasSameSizeAs(stored.names()));
        assertThat(StoredScores.of("none").f1("all")).containsOnly("");
    }
}
