package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.settings.InvalidSettingsException;
import io.trawl.standalone.crawl.FleetRunner.FleetPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSettingsTest {
    private static final FleetPlan PLAN = new FleetPlan(Path.of("/out"), Path.of("/data"), List.of("127.0.0.0/8"),
            Optional.of(4), false);
    private static final FleetPlan LASTING = new FleetPlan(Path.of("/out"), Path.of("/data"), List.of(), Optional.of(4),
            true);

    @Test
    void takesTuningFromTheEnvironment() {
        assertThatThrownBy(() -> LocalSettings.of(PLAN, Map.of("TRAWL_DOWNLOADER_BODY_LIMIT", "1")))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining("TRAWL_DOWNLOADER_BODY_LIMIT");
        assertThatThrownBy(() -> LocalSettings.of(PLAN, Map.of("TRAWL_POLITENESS_KEY", "planet")))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining("TRAWL_POLITENESS_KEY");
    }

    @Test
    void ignoresSettingsOfAnotherDeploymentInTheEnvironment() {
        assertThatCode(() -> LocalSettings.of(PLAN,
                Map.of("TRAWL_HTTP_PORT", "nonsense", "TRAWL_KAFKA_CONFIG_FILE", "/no/such", "TRAWL_NAMESPACE", "!")))
                .doesNotThrowAnyException();
    }

    @Test
    void namesAFileAmongThePluginsThatIsNoJarAndEveryOtherFault(@TempDir Path folder) throws IOException {
        Path notes = Files.writeString(folder.resolve("notes.txt"), "");
        assertThatThrownBy(
                () -> LocalSettings.of(PLAN, Map.of("TRAWL_PLUGINS", folder.toString(), "TRAWL_TOPICS_LEVELS", "two")))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining(notes.toString())
                .hasMessageContaining("TRAWL_TOPICS_LEVELS: 'two' is not valid: a whole number");
    }

    @Test
    void checksTokensOnlyForALastingDeployment() {
        Map<String, String> environment = Map.of("TRAWL_API_READ_TOKEN", "short");
        assertThatCode(() -> LocalSettings.of(PLAN, environment)).doesNotThrowAnyException();
        assertThatThrownBy(() -> LocalSettings.of(LASTING, environment)).isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("TRAWL_API_READ_TOKEN");
        assertThatThrownBy(() -> LocalSettings.of(LASTING, Map.of("TRAWL_TRACES_SHARE", "2")))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining("TRAWL_TRACES_SHARE");
    }
}
