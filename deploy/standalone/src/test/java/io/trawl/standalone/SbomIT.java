package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bill of materials that goes into each image beside the libraries. Not a unit test: both are made when the modules are packaged. */
class SbomIT {
    @ParameterizedTest
    @ValueSource(strings = {"coordinator", "worker-downloader", "worker-analyzer", "worker-pipeline", "deploy/standalone"})
    void theBillOfMaterialsNamesEachLibraryOfAProcessAndNoOther(String module) throws IOException {
        Path target = Path.of("../..", module, "target");
        assumeTrue(Files.exists(target.resolve("sbom.cdx.json")), "mvn -o makes no bill of materials");
        JsonNode bill = Json.mapper().readTree(Files.readString(target.resolve("sbom.cdx.json")));
        List<String> lib;
        try (Stream<Path> files = Files.list(target.resolve("lib"))) {
            lib = files.map(file -> file.getFileName().toString()).toList();
        }

        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(bill.path("components").valueStream().map(SbomIT::file)).hasSizeGreaterThan(20)
                .containsExactlyInAnyOrderElementsOf(lib);
        assertThat(bill.path("components").valueStream()).allSatisfy(component -> {
            assertThat(component.path("hashes").findValuesAsText("alg")).contains("SHA-256");
            assertThat(component.path("purl").asText()).startsWith("pkg:maven/");
        });
    }

    /** {@code name-version[-classifier].jar}. */
    private static String file(JsonNode component) {
        String classifier = component.path("purl").asText().replaceFirst("^(?:.*[?&]classifier=([^&]+).*|.*)$", "$1");
        return component.path("name").asText() + "-" + component.path("version").asText()
                + (classifier.isEmpty() ? "" : "-" + classifier) + ".jar";
    }
}
