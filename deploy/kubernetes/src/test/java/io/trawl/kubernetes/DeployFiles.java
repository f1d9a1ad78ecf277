package io.trawl.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The deployment files of this checkout as JSON trees. */
final class DeployFiles {
    static final Path DEPLOY = Path.of("..").toAbsolutePath().normalize();
    static final Path KUBERNETES = DEPLOY.resolve("kubernetes");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private DeployFiles() {}

    /** All YAML files below a folder, sorted. */
    static List<Path> yaml(Path folder) throws IOException {
        try (Stream<Path> files = java.nio.file.Files.walk(folder)) {
            return files.filter(f -> f.toString().matches(".*\\.ya?ml")).sorted().toList();
        }
    }

    /** The non-empty documents of a YAML text. */
    static List<JsonNode> documents(String text) throws IOException {
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
            return documents.readAll().stream().filter(document -> document.size() > 0).toList();
        }
    }

    /** The tree of a YAML file with one document. */
    static JsonNode tree(Path file) throws IOException {
        return tree(java.nio.file.Files.readString(file));
    }

    /** The tree of a YAML text with one document. */
    static JsonNode tree(String text) throws IOException {
        return YAML.readTree(text);
    }

    static String yaml(JsonNode tree) throws IOException {
        return YAML.writeValueAsString(tree);
    }

    /** A value and all its descendants. */
    static Stream<JsonNode> all(JsonNode tree) {
        return Stream.concat(Stream.of(tree), tree.valueStream().flatMap(DeployFiles::all));
    }
}
