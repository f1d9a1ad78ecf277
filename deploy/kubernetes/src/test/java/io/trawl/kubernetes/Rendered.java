package io.trawl.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The objects of an overlay. */
record Rendered(List<JsonNode> objects) {
    private static final Pattern HASH = Pattern.compile("\\b((?:trawl|redis)-[a-z]+)-[a-z0-9]{10}\\b");

    static Rendered of(Path folder) throws IOException {
        return new Rendered(Kustomization.render(folder));
    }

    /**
     * The same by {@code kubectl kustomize}, without hashes in names; empty if this machine has no kubectl of 1.22 or
     * newer.
     */
    static Optional<Rendered> byKubectl(Path folder) throws IOException, InterruptedException {
        String text;
        try {
            text = run("kustomize", folder.toString());
        } catch (IOException e) {
            return Optional.empty();
        }
        return text.contains("kind: Deployment")
                ? Optional.of(new Rendered(DeployFiles.documents(HASH.matcher(text).replaceAll("$1"))))
                : Optional.empty();
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("kubectl"), Stream.of(arguments)).toList())
                .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? out : "failed: " + err;
    }

    Stream<JsonNode> kind(String... kinds) {
        return objects.stream().filter(object -> List.of(kinds).contains(object.path("kind").asText()));
    }

    /** Deployments and StatefulSets. */
    Stream<JsonNode> workloads() {
        return kind("Deployment", "StatefulSet");
    }

    Optional<JsonNode> named(String kind, String name) {
        return kind(kind).filter(object -> name(object).equals(name)).findFirst();
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String title(JsonNode object) {
        return object.path("kind").asText() + " " + name(object);
    }
}
