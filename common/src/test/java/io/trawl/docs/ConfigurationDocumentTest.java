package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The settings in docs/configuration.md are generated: {@code -Ddocs.write=true} writes them again. */
class ConfigurationDocumentTest {
    private static final Path SETTINGS = Documents.ROOT
            .resolve("common/model/src/main/java/io/trawl/settings/Settings.java");

    @Test
    void theDocumentListsEverySettingWithItsDefaultAndMeaning() throws IOException {
        Documents.endsWithGenerated("docs/configuration.md", "Settings.java",
                SettingsTable.of(Files.readString(SETTINGS)));
    }

    @Test
    void aSettingWithoutACommentIsAnError() throws IOException {
        String source = Files.readString(SETTINGS)
                .replaceFirst("(?s)/\\*\\*[^/]*\\*/(\\s*@Default\\(\"20s\"\\)\\s*Duration grace)", "$1");

        assertThatThrownBy(() -> SettingsTable.of(source)).hasMessageContaining("trawl.grace");
    }
}
