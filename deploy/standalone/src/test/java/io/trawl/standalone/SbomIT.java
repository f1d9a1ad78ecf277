package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.testkit.Repository;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bill of materials that goes into each image beside the libraries. Not a unit test: packaging the modules creates
 * both.
 */
class SbomIT {
    private static final Pattern UNUSED = Pattern.compile(
            "(byte-buddy|kryo|rxjava|reactor|cache-api|jedis|commons-beanutils|commons-collections|log4j-core|jose4j"
                    + "|jetty-jndi|jetty-plus|jetty-ee10-webapp|jakarta.enterprise).*");

    @ParameterizedTest
    @ValueSource(strings = {"coordinator", "worker-downloader", "worker-analyzer", "worker-pipeline",
            "deploy/standalone"})
    void librariesOfWhichNoProcessNeedsAnythingAreAbsent(String module) throws IOException {
        try (Stream<Path> files = Files.list(Repository.file(module + "/target"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jar")).toList()) {
                try (JarFile jar = new JarFile(file.toFile())) {
                    String libraries = jar.getManifest().getMainAttributes().getValue("Class-Path");
                    assertThat(libraries.split(" ")).as(file.toString()).hasSizeGreaterThan(20)
                            .noneMatch(library -> UNUSED.matcher(library.replaceFirst("lib/", "")).matches());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinator", "worker-downloader", "worker-analyzer", "worker-pipeline",
            "deploy/standalone"})
    void theBillOfMaterialsNamesEachLibraryOfAProcessAndNoOther(String module) throws IOException {
        Path target = Repository.file(module + "/target");
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
