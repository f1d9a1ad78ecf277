package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.settings.InvalidSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalSettingsTest {
    private static final CrawlPlan PLAN = new CrawlPlan(new CrawlId("docs"),
            new CrawlDefinition(List.of(), List.of(), 1, Optional.empty(), Duration.ZERO, "x", 1, true, true,
                    io.trawl.model.FetchStyle.PLAIN, Optional.empty()),
            Path.of("/out"),
            Path.of("/data"),
            List.of("127.0.0.0/8"), 4, false);

    @Test
    void takesTuningFromTheEnvironment() {
        assertThatThrownBy(() -> LocalSettings.of(PLAN, Map.of("TRAWL_DOWNLOADER_BODY_LIMIT", "1")))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("TRAWL_DOWNLOADER_BODY_LIMIT");
    }

    @Test
    void isNotLedAstrayByAShellSetUpForAnotherDeployment() {
        assertThatCode(() -> LocalSettings.of(PLAN,
                Map.of("TRAWL_HTTP_PORT", "nonsense", "TRAWL_KAFKA_CONFIG_FILE", "/no/such", "TRAWL_NAMESPACE", "!")))
                .doesNotThrowAnyException();
    }
}
