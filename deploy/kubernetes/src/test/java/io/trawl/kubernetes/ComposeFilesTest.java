package io.trawl.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ComposeFilesTest {
    private static final Path COMPOSE = DeployFiles.DEPLOY.resolve("compose");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z0-9_]+)(:-[^}]*)?}");
    /** Keys with which docker-compose 1.29 refuses the whole file. */
    private static final Set<String> REFUSED_BY_1_29 = Set.of("include", "start_interval", "required", "develop",
            "attach");

    private static List<Path> files() throws IOException {
        List<Path> files = DeployFiles.yaml(COMPOSE);
        assertThat(files).isNotEmpty();
        return files;
    }

    @Test
    void everySettingIsKnownToTheProcessesAndHasAValidValue() throws IOException {
        Map<String, String> given = new TreeMap<>();
        for (Path file : files()) {
            DeployFiles.all(DeployFiles.tree(file)).flatMap(value -> value.properties().stream())
                    // What crawl files refer to has any name with this prefix.
                    .filter(entry -> entry.getKey().startsWith("TRAWL_") && !entry.getKey().startsWith("TRAWL_SECRET_"))
                    .forEach(entry -> given.put(entry.getKey(),
                            VARIABLE.matcher(entry.getValue().asText()).replaceAll("")));
        }
        assertThat(given).containsKey("TRAWL_KAFKA_BOOTSTRAP_SERVERS");
        assertThat(Variables.unknown(given.keySet())).isEmpty();
        given.values().removeIf(String::isEmpty);
        Variables.read(given);
    }

    @Test
    void everyVariableIsSetInTheEnvFileOrHasADefault() throws IOException {
        Set<String> set = Files.readAllLines(COMPOSE.resolve(".env")).stream()
                .filter(line -> line.matches("[A-Z_]+=.*")).map(line -> line.replaceFirst("=.*", ""))
                .collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (Path file : files()) {
            Matcher variable = VARIABLE.matcher(Files.readString(file));
            while (variable.find()) {
                if (variable.group(2) == null && !set.contains(variable.group(1))) {
                    missing.add(variable.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyCoordinatorAppliesTheCrawlFilesThatAreMountedAndProcessesThatNeedSecretsGetThem() throws IOException {
        JsonNode services = DeployFiles.tree(COMPOSE.resolve("compose.yaml")).path("services");
        for (String name : List.of("coordinator", "standby")) {
            JsonNode service = services.path(name);
            assertThat(service.path("volumes").get(0).asText()).as(name)
                    .endsWith(":" + service.at("/environment/TRAWL_CRAWLS").asText() + ":ro");
        }
        for (String name : List.of("coordinator", "standby", "downloader", "pipeline")) {
            Path file = COMPOSE.resolve(services.path(name).path("env_file").asText());
            assertThat(Files.readAllLines(file)).as(name).allMatch(line -> line.startsWith("#"));
        }
        assertThat(COMPOSE.resolve("crawls")).isDirectory();
    }

    @Test
    void theServersOfSinksStartOnlyWithTheirProfileListenOnLoopbackAndHaveTheVersionsThatTestsUse() throws IOException {
        JsonNode services = DeployFiles.tree(COMPOSE.resolve("compose.yaml")).path("services");
        String pom = Files.readString(DeployFiles.DEPLOY.resolve("../pom.xml"));
        Map.of("opensearch", "opensearch", "s3", "s3mock").forEach((name, server) -> {
            JsonNode service = services.path(name);
            assertThat(service.path("profiles").toString()).isEqualTo("[\"" + name + "\"]");
            assertThat(service.path("ports").path(0).asText()).startsWith("127.0.0.1:");
            String version = pom.replaceFirst("(?s).*<" + server + ".version>(.*?)</.*", "$1");
            assertThat(service.path("image").asText()).endsWith(":" + version + "}");
        });
    }

    @Test
    void noFileHasAKeyThatDockerCompose129Refuses() throws IOException {
        for (Path file : files()) {
            JsonNode tree = DeployFiles.tree(file);
            assertThat(tree.has("name") || tree.has("version")).as("%s", file).isFalse();
            assertThat(DeployFiles.all(tree).flatMap(value -> value.properties().stream()).map(Map.Entry::getKey)
                    .filter(REFUSED_BY_1_29::contains)).as("%s", file).isEmpty();
        }
    }

    @Test
    void theBrokerInTheClusterHasTheSettingsOfTheComposeBroker() throws IOException {
        JsonNode compose = DeployFiles.tree(COMPOSE.resolve("compose.yaml")).at("/services/kafka");
        JsonNode set = DeployFiles
                .documents(Files.readString(DeployFiles.KUBERNETES.resolve("components/in-cluster/kafka.yaml"))).get(1)
                .at("/spec/template/spec/containers/0");
        Map<String, String> cluster = new TreeMap<>();
        set.path("env")
                .forEach(variable -> cluster.put(variable.path("name").asText(), variable.path("value").asText()));

        assertThat(compose.path("image").asText()).contains(set.path("image").asText());
        compose.path("environment").properties().stream()
                .filter(entry -> entry.getKey().matches("KAFKA_(GROUP_CONSUMER|LOG_RET|OFFSETS|TRANS|AUTO|MESSAGE).*"))
                .forEach(entry -> assertThat(cluster).containsEntry(entry.getKey(), entry.getValue().asText()));
    }

    @Test
    void everyKafkaImageHasTheVersionOfTheKafkaClients() throws IOException {
        Path root = DeployFiles.DEPLOY.resolve("..");
        String version = Files.readString(root.resolve("pom.xml"))
                .replaceFirst("(?s).*<kafka.version>(.*?)</kafka.version>.*", "$1");
        Path test = root.resolve("common/src/test/java/io/trawl/testkit/ServerContainers.java");
        for (Path file : List.of(COMPOSE.resolve("compose.yaml"), COMPOSE.resolve("compose.brokers.yaml"),
                DeployFiles.KUBERNETES.resolve("components/in-cluster/kafka.yaml"), test)) {
            assertThat(Files.readString(file)).as("%s", file).contains("apache/kafka:" + version);
        }
    }

    @Test
    void theImagesNeedNoShell() throws IOException {
        String stages = Files.readString(DeployFiles.DEPLOY.resolve("images/Dockerfile"))
                .replaceFirst("(?s).*(FROM \\S+ AS process)", "$1");
        assertThat(stages.lines())
                .noneMatch(line -> line.matches("RUN .*|.*\\b(ba)?sh\\b.*|(CMD|ENTRYPOINT|HEALTHCHECK.*CMD) [^\\[]*"));
    }

    @Test
    void redisPublishesNoPortAndHasNoPasswordOnACommandLine() throws IOException {
        for (Path file : files()) {
            JsonNode redis = DeployFiles.tree(file).at("/services/redis");
            assertThat(redis.has("ports")).as("%s", file).isFalse();
            assertThat(redis.path("command").toString()).as("%s", file).doesNotContain("PASSWORD");
        }
        JsonNode container = DeployFiles
                .documents(Files.readString(DeployFiles.KUBERNETES.resolve("components/in-cluster/redis.yaml"))).get(1)
                .at("/spec/template/spec/containers/0");
        assertThat(container.path("command").toString() + container.path("args")).contains("redis-start.sh")
                .doesNotContain("PASSWORD");
    }
}
