package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The settings in docs/configuration.md are generated: {@code -Ddocs.write=true} writes them again. */
class ConfigurationDocumentTest {
    private static final Path DOCUMENT = Documents.ROOT.resolve("docs/configuration.md");
    private static final Path SETTINGS = Documents.ROOT.resolve("common/src/main/java/io/trawl/settings/Settings.java");
    private static final String BEGIN = "<!-- The rest of this file is generated from Settings.java, see CONTRIBUTING.md. -->\n";

    @Test
    void theDocumentListsEverySettingWithItsDefaultAndMeaning() throws IOException {
        String present = Files.readString(DOCUMENT);
        assertThat(present).containsOnlyOnce(BEGIN);
        String wanted = present.substring(0, present.indexOf(BEGIN)) + BEGIN
                + SettingsTable.of(Files.readString(SETTINGS));

        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(DOCUMENT, wanted);
        } else {
            assertThat(present).as("run this test with -Ddocs.write=true to write %s", DOCUMENT).isEqualTo(wanted);
        }
    }

    @Test
    void aSettingWithoutACommentIsAnError() throws IOException {
        String source = Files.readString(SETTINGS)
                .replaceFirst("(?s)/\\*\\*[^/]*\\*/(\\s*@WithDefault\\(\"20s\"\\)\\s*Duration grace)", "$1");

        assertThatThrownBy(() -> SettingsTable.of(source)).hasMessageContaining("trawl.grace");
    }
}
