package io.trawl.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An overlay as {@code kubectl kustomize} renders it, without a cluster. */
record Rendered(List<JsonNode> objects) {
    /** The reason why overlays cannot be rendered on this machine, if any. */
    static Optional<String> obstacle() throws IOException, InterruptedException {
        try {
            run("version", "--client");
            return run("kustomize", DeployFiles.KUBERNETES.resolve("overlays/small").toString()).contains("kind: Deployment")
                    ? Optional.empty()
                    : Optional.of("kubectl is too old to render the overlays");
        } catch (IOException e) {
            return Optional.of("kubectl is missing, which renders the overlays");
        }
    }

    static Rendered of(Path folder) throws IOException, InterruptedException {
        return new Rendered(DeployFiles.documents(run("kustomize", folder.toString())));
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("kubectl"), Stream.of(arguments)).toList()).start();
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
