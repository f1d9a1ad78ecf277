package io.trawl.standalone.e2e;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.Output;
import io.trawl.testkit.Repository;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.testkit.ContainerEngine;
import io.trawl.testkit.ContainerEngine.Printed;
import io.trawl.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The deployment of {@code deploy/compose} under a project name of its own, with free ports, on images of this build.
 * Not thread-safe.
 */
final class ComposeStack implements AutoCloseable {
    private static final String JAVA_IMAGE = "eclipse-temurin:25-jre";
    private static final String REDIS_IMAGE = "redis:7-alpine";
    private static final String TOKEN = "a-token-of-the-compose-test";
    private final String project = "trawl-test-" + UUID.randomUUID().toString().substring(0, 8);
    private final int port = FreePort.find();
    private final int kafkaPort = FreePort.find();
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> compose = new ArrayList<>();
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /**
     * @param folder for files that this writes
     * @param override overrides of the compose file
     * @param settings more variables of {@code .env}
     */
    ComposeStack(Path folder, Map<String, ?> override, Map<String, String> settings) throws IOException {
        environment.putAll(Map.of("TRAWL_TAG", "test", "TRAWL_PORT", Integer.toString(port), "KAFKA_PORT",
                Integer.toString(kafkaPort), "TRAWL_API_WRITE_TOKEN", TOKEN, "COMPOSE_PROJECT_NAME", project));
        environment.putAll(settings);
        Path laidOver = Files.writeString(folder.resolve("compose.test.yaml"), Json.text(override));
        boolean plugin = ContainerEngine.docker("compose", "version").status() == 0;
        compose.addAll(plugin ? List.of("docker", "compose") : List.of("docker-compose"));
        compose.addAll(
                List.of("-f", Repository.file("deploy/compose/compose.yaml").toString(), "-f", laidOver.toString()));
    }

    /** The image of Kafka that the compose file names: the version that everything else is built with. */
    private static String kafkaImage() throws IOException {
        String pom = Files.readString(Repository.file("pom.xml"));
        return "apache/kafka:" + pom.replaceFirst("(?s).*<kafka.version>(.*?)</kafka.version>.*", "$1");
    }

    /** A downloader that resolves these names to the machine of the engine. */
    static Map<String, ?> downloaderThatKnows(List<String> names) {
        return Map.of("services", Map.of("downloader",
                Map.of("extra_hosts", names.stream().map(name -> name + ":host-gateway").toList())));
    }

    /**
     * Builds the images from the jars of this build, if a container engine is available; skips the test, or fails it,
     * as {@link ContainerEngine#demand} does, if not.
     */
    static void demand() throws IOException {
        ContainerEngine.demand(JAVA_IMAGE, REDIS_IMAGE, kafkaImage());
        noCompose().ifPresent(ContainerEngine::without);
        assertThat(Images.BUILT).as("images").isNotEmpty();
    }

    /**
     * Once in each JVM of tests, which share the names of the images: the second one finds all layers built, and
     * changes no image.
     */
    private static final class Images {
        private static final String BUILT = build();

        private static String build() {
            try (FileChannel file = FileChannel.open(Path.of("target", "images.lock"), CREATE, WRITE);
                    FileLock _ = file.lock()) {
                return ContainerEngine.run(List.of(Repository.file("deploy/images/build.sh").toString(), "coordinator",
                        "downloader", "analyzer", "pipeline"), Map.of("TRAWL_TAG", "test"), "").good();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The reason why the compose file cannot run here. */
    private static Optional<String> noCompose() {
        try {
            return ContainerEngine.docker("compose", "version").status() == 0
                    || ContainerEngine.run(List.of("docker-compose", "version"), Map.of(), "").status() == 0
                            ? Optional.empty()
                            : Optional.of("neither docker compose nor docker-compose is here");
        } catch (IllegalStateException e) {
            return Optional.of("neither docker compose nor docker-compose is here");
        }
    }

    /**
     * The address of this machine at which containers reach it: the engine's bridge, or where the engine is in a
     * machine of its own, loopback.
     */
    static String reachableAddress() throws IOException {
        String hosts = ContainerEngine.docker("run", "--rm", "--add-host", "here:host-gateway", "--entrypoint", "cat",
                JAVA_IMAGE, "/etc/hosts").good();
        String address = hosts.lines().filter(line -> line.endsWith("here")).map(line -> line.split("\\s+")[0])
                .findFirst().orElseThrow();
        return NetworkInterface.getByInetAddress(InetAddress.getByName(address)) == null ? "127.0.0.1" : address;
    }

    /** Runs a command of compose. */
    String compose(String... arguments) {
        List<String> command = new ArrayList<>(compose);
        command.addAll(List.of(arguments));
        return ContainerEngine.run(command, environment, "").good();
    }

    /**
     * The containers of a service, oldest number first. Asked of the engine itself: that takes a tenth of the time that
     * compose takes.
     */
    List<String> containers(String service) {
        return ContainerEngine
                .docker("ps", "-a", "--filter", "label=com.docker.compose.project=" + project, "--filter",
                        "label=com.docker.compose.service=" + service, "--format",
                        "{{.Label \"com.docker.compose.container-number\"}} {{.ID}}")
                .good().lines().sorted(Comparator.comparingInt(line -> Integer.parseInt(line.split(" ")[0])))
                .map(line -> line.split(" ")[1]).toList();
    }

    /** {@code kill -9} to the first container of a service; its others keep running. */
    void kill(String service) {
        ContainerEngine.docker("kill", containers(service).getFirst()).good();
    }

    /** The output of {@code docker inspect} for a container with this template. */
    static String inspect(String container, String template) {
        return ContainerEngine.docker("inspect", "--format", template, container).good();
    }

    /** Writes seeds to the topic from outside, with kcat. */
    void seedByKcat(String seeds) {
        ContainerEngine.run(List.of("kcat", "-P", "-b", "localhost:" + kafkaPort, "-t", "trawl.seeds"), Map.of(), seeds)
                .good();
    }

    /**
     * Asks the coordinator on the port that is open to this machine; nothing if it does not answer with a success now.
     */
    Optional<JsonNode> ask(String method, String path, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + TOKEN).header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30)).method(method, BodyPublishers.ofString(body)).build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as("%s %s: %s", method, path, response.body())
                    .matches(status -> status < 400 || status >= 500);
            return response.statusCode() / 100 == 2
                    ? Optional.of(Json.mapper().readTree(response.body()))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A crawl, if the coordinator answers. */
    Optional<CrawlSummary> crawl(String id) throws InterruptedException {
        return ask("GET", "/api/v1/crawls/" + id, "").map(json -> Json.read(Json.bytes(json), CrawlSummary.class));
    }

    /** The output of the pipelines, copied out of their volume. */
    Output output(Path folder, String run) {
        ContainerEngine.docker("cp", containers("pipeline").getFirst() + ":/data/pages", folder.toString()).good();
        return new Output(folder.resolve("pages"), run);
    }

    /** The logs of all containers. */
    String printed() {
        return compose("logs", "--no-color", "--tail", "60");
    }

    /** The log of the first container of a service, over all its restarts. */
    List<String> lines(String service) {
        return ContainerEngine.docker("logs", containers(service).getFirst()).good().lines().toList();
    }

    /** Runs a program in the first container of a service. */
    Printed inside(String service, String... command) {
        List<String> exec = new ArrayList<>(List.of("docker", "exec", containers(service).getFirst()));
        exec.addAll(List.of(command));
        return ContainerEngine.run(exec, Map.of(), "");
    }

    /** The result of the health check of the first container of a service. */
    boolean ready(String service) {
        return inside(service, "java", "-Xmx8m", "-cp", "/app/trawl.jar", "io.trawl.launch.HealthCheck", "ready")
                .status() == 0;
    }

    /** Removes containers, network and volumes, without a graceful shutdown. */
    @Override
    public void close() {
        http.close();
        compose("down", "-v", "--timeout", "0");
    }
}
