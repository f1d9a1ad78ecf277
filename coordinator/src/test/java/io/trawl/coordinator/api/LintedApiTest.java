package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.NodePackages;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Public linters have nothing against the description of the REST interface, no warning either. */
class LintedApiTest {
    /** Summaries say what operations do; no person stands for the project. */
    private static final String RULES = """
            extends: [spectral:oas]
            rules: {operation-description: off, info-contact: off}
            """;
    @TempDir
    Path temp;

    @Test
    void redoclyAndSpectralFindNothing() throws Exception {
        NodePackages linters = NodePackages.install(temp, "@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3");
        Files.write(temp.resolve("openapi.yaml"), OpenApiDocument.read().yaml());
        assertThat(linters.run("redocly", "lint", "openapi.yaml")).contains("is valid")
                .doesNotContainPattern("You have [0-9]+ warning");
        Files.writeString(temp.resolve("rules.yaml"), RULES);
        linters.run("spectral", "lint", "--ruleset", "rules.yaml", "--fail-severity", "warn", "openapi.yaml");
    }
}
