package io.trawl.kubernetes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.model.Durations;
import io.trawl.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Validates the overlays, rendered without a cluster. The build does not apply them to a cluster. */
class ManifestsTest {
    private static final Map<String, Rendered> RENDERED = new HashMap<>();
    private static final Pattern METRIC = Pattern.compile("\\btrawl_[a-z_]+");
    private static final Pattern CHANNEL = Pattern.compile("channel=~?\"([^\"]+)\"");
    /** The secrets that the production overlay requires users to create. */
    private static final Set<String> CREATED_BY_USERS = Set.of("trawl-secrets", "trawl-kafka");

    @BeforeAll
    static void render() throws IOException {
        for (String overlay : List.of("small", "production")) {
            RENDERED.put(overlay, Rendered.of(DeployFiles.KUBERNETES.resolve("overlays").resolve(overlay)));
        }
        RENDERED.put("complete", Rendered.of(productionWithAllComponents()));
    }

    /** A copy of the production overlay that scales by work, is watched and can be reached from outside. */
    private static Path productionWithAllComponents() throws IOException {
        Path folder = Files.createDirectories(DeployFiles.KUBERNETES.resolve("target/complete"));
        Files.writeString(folder.resolve("kustomization.yaml"), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                namespace: trawl
                resources: [../../overlays/production]
                components: [../../components/keda, ../../components/podmonitor, ../../components/ingress]
                """);
        return folder;
    }

    @Test
    void kubectlRendersTheSameWhereThereIsOne() throws IOException, InterruptedException {
        for (Path folder : List.of(DeployFiles.KUBERNETES.resolve("overlays/small"), productionWithAllComponents())) {
            Optional<Rendered> kubectl = Rendered.byKubectl(folder);
            Assumptions.assumeTrue(kubectl.isPresent(),
                    "kubectl is missing or too old; the other tests do not need it");
            assertThat(byTitle(Rendered.of(folder))).isEqualTo(byTitle(kubectl.orElseThrow()));
        }
    }

    private static Map<String, JsonNode> byTitle(Rendered rendered) {
        return rendered.objects().stream()
                .collect(Collectors.toMap(Rendered::title, object -> object, (a, b) -> a, TreeMap::new));
    }

    @Test
    void theServersAndReceiversOfWebhooksCanBeReached() {
        JsonNode production = overlay("production").named("NetworkPolicy", "trawl-servers").orElseThrow();
        String brokers = overlay("production").kind("ConfigMap")
                .map(map -> map.at("/data/TRAWL_KAFKA_BOOTSTRAP_SERVERS").asText()).filter(text -> !text.isEmpty())
                .findFirst().orElseThrow();
        List<Integer> open = production.at("/spec/egress/0/ports").valueStream().map(port -> port.path("port").asInt())
                .toList();
        assertThat(Stream.of(brokers.split(",")).map(broker -> Integer.parseInt(broker.replaceFirst(".*:", ""))))
                .isSubsetOf(open);

        for (String name : List.of("small", "production")) {
            JsonNode webhooks = overlay(name).named("NetworkPolicy", "trawl-webhooks").orElseThrow();
            assertThat(webhooks.at("/spec/podSelector/matchLabels/app.kubernetes.io~1name").asText())
                    .isEqualTo("trawl-coordinator");
            assertThat(webhooks.at("/spec/egress/0/to/0/ipBlock/cidr").asText()).isEqualTo("0.0.0.0/0");
        }
    }

    @Test
    void theCoordinatorAppliesTheCrawlFilesOfItsConfigMap() {
        for (String name : List.of("small", "production")) {
            JsonNode container = overlay(name).named("Deployment", "trawl-coordinator").orElseThrow()
                    .at("/spec/template/spec/containers/0");
            String folder = overlay(name).kind("ConfigMap").map(map -> map.at("/data/TRAWL_CRAWLS").asText())
                    .filter(text -> !text.isEmpty()).findFirst().orElseThrow();
            assertThat(container.path("volumeMounts").valueStream()
                    .filter(mount -> mount.path("name").asText().equals("crawls"))
                    .map(mount -> mount.path("mountPath").asText())).containsExactly(folder);
            assertThat(overlay(name).named("ConfigMap", "trawl-crawls")).isPresent();
        }
    }

    @Test
    void anIngressLeadsToTheCoordinatorAndItsPolicyLetsItIn() {
        Rendered complete = overlay("complete");
        JsonNode backend = complete.kind("Ingress").findFirst().orElseThrow()
                .at("/spec/rules/0/http/paths/0/backend/service");
        JsonNode service = complete.named("Service", backend.path("name").asText()).orElseThrow();
        assertThat(service.at("/spec/ports").findValuesAsText("name")).contains(backend.at("/port/name").asText());
        JsonNode policy = complete.named("NetworkPolicy", "trawl-ingress").orElseThrow();
        assertThat(policy.at("/spec/podSelector/matchLabels")).isEqualTo(service.at("/spec/selector"));
    }

    @Test
    void eachStageIsSpreadOverZonesAndNodesByItself() {
        overlay("production").kind("Deployment").forEach(deployment -> {
            JsonNode constraints = deployment.at("/spec/template/spec/topologySpreadConstraints");
            assertThat(constraints.findValuesAsText("topologyKey")).containsExactly("topology.kubernetes.io/zone",
                    "kubernetes.io/hostname");
            constraints.forEach(
                    constraint -> assertThat(constraint.path("matchLabelKeys").valueStream().map(JsonNode::asText))
                            .contains("stage"));
        });
    }

    @Test
    void theLabelsOfAlertsAndPanelsAreThoseOfThePodMonitor() throws IOException {
        JsonNode monitor = overlay("complete").kind("PodMonitor").findFirst().orElseThrow();
        assertThat(monitor.at("/spec/podTargetLabels").valueStream().map(JsonNode::asText)).containsExactly("stage");
        assertThat(monitor.at("/spec/jobLabel").asText()).isEqualTo("app.kubernetes.io/part-of");
        overlay("complete").kind("Deployment").forEach(deployment -> {
            JsonNode labels = deployment.at("/spec/template/metadata/labels");
            assertThat("trawl-" + labels.path("stage").asText()).isEqualTo(Rendered.name(deployment));
            assertThat(labels.path("app.kubernetes.io/part-of").asText()).isEqualTo("trawl");
        });
        JsonNode compose = DeployFiles.tree(DeployFiles.DEPLOY.resolve("observe/prometheus.yaml"));
        assertThat(compose.findValuesAsText("target_label")).contains("stage", "namespace");
    }

    private static Rendered overlay(String name) {
        Rendered rendered = RENDERED.get(name);
        assertThat(rendered).isNotNull();
        assertThat(rendered.objects()).as(name).hasSizeGreaterThan(15);
        return rendered;
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production", "complete"})
    void everyObjectIsValidForTheApi(String name) {
        Map<String, List<String>> faults = new TreeMap<>();
        overlay(name).objects().forEach(object -> faults.put(Rendered.title(object), KubernetesTypes.faults(object)));

        assertThat(faults).allSatisfy((title, found) -> assertThat(found).as(title).isEmpty());
    }

    @Test
    void misspeltFieldsWrongTypesAndMissingFieldsAreDetected() {
        JsonNode good = overlay("small").named("Deployment", "trawl-downloader").orElseThrow();
        ObjectNode misspelt = good.deepCopy();
        ((ObjectNode) misspelt.at("/spec/template/spec/containers/0")).put("readynessProbe", "x");
        ObjectNode wrong = good.deepCopy();
        ((ObjectNode) wrong.at("/spec")).put("replicas", "two");
        ObjectNode without = good.deepCopy();
        ((ObjectNode) without.at("/spec")).remove("selector");

        assertThat(KubernetesTypes.faults(misspelt)).anyMatch(fault -> fault.contains("readynessProbe"));
        assertThat(KubernetesTypes.faults(wrong)).isNotEmpty();
        assertThat(KubernetesTypes.faults(without)).anyMatch(fault -> fault.contains("selector"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production", "complete"})
    void everySelectorMatchesPodsAndTheirPorts(String name) {
        Rendered rendered = overlay(name);
        List<JsonNode> pods = rendered.workloads().map(workload -> workload.at("/spec/template")).toList();
        rendered.workloads()
                .forEach(workload -> assertThat(
                        selected(workload.at("/spec/selector/matchLabels"), List.of(workload.at("/spec/template"))))
                        .as(Rendered.title(workload)).hasSize(1));
        rendered.kind("PodDisruptionBudget")
                .forEach(budget -> assertThat(selected(budget.at("/spec/selector/matchLabels"), pods))
                        .as(Rendered.title(budget)).hasSize(1));
        rendered.kind("NetworkPolicy")
                .forEach(policy -> assertThat(selected(policy.at("/spec/podSelector/matchLabels"), pods))
                        .as(Rendered.title(policy)).isNotEmpty());
        rendered.kind("Service").forEach(service -> {
            List<JsonNode> found = selected(service.at("/spec/selector"), pods);
            assertThat(found).as(Rendered.title(service)).hasSize(1);
            service.at("/spec/ports").forEach(port -> assertThat(ports(found.getFirst())).as(Rendered.title(service))
                    .contains(port.path("targetPort").asText()));
        });
    }

    private static List<JsonNode> selected(JsonNode labels, List<JsonNode> pods) {
        assertThat(labels.size()).isPositive();
        return pods.stream()
                .filter(pod -> labels.properties().stream()
                        .allMatch(label -> label.getValue().equals(pod.at("/metadata/labels").path(label.getKey()))))
                .toList();
    }

    private static Set<String> ports(JsonNode pod) {
        return pod.at("/spec/containers/0/ports").findValuesAsText("name").stream().collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production", "complete"})
    void everyContainerHasProbesLimitsAndASecurityContext(String name) {
        overlay(name).workloads().forEach(workload -> {
            JsonNode pod = workload.at("/spec/template/spec");
            assertThat(pod.path("enableServiceLinks").asBoolean(true)).as(Rendered.title(workload)).isFalse();
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).as(Rendered.title(workload)).isTrue();
            pod.path("containers").forEach(container -> {
                String title = Rendered.title(workload);
                for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                    JsonNode port = container.path(probe).findValue("port");
                    assertThat(port).as("%s: port of %s", title, probe).isNotNull();
                    assertThat(ports(workload.at("/spec/template"))).as("%s: %s", title, probe).contains(port.asText());
                }
                assertThat(container.at("/resources/limits/memory").isTextual()).as(title).isTrue();
                assertThat(container.at("/resources/requests/cpu").isTextual()).as(title).isTrue();
                assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true)).as(title)
                        .isFalse();
                assertThat(container.path("image").asText()).as(title).matches("[^:@]+:.+").doesNotEndWith(":latest");
            });
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production", "complete"})
    void everySettingIsKnownToTheProcessesAndHasAValidValue(String name) {
        Rendered rendered = overlay(name);
        Map<String, String> given = new TreeMap<>();
        rendered.kind("ConfigMap").filter(map -> map.at("/metadata/name").asText().startsWith("trawl-settings"))
                .forEach(map -> map.path("data").properties()
                        .forEach(entry -> given.put(entry.getKey(), entry.getValue().asText())));
        rendered.kind("Deployment").flatMap(DeployFiles::all)
                .filter(value -> value.path("name").asText().startsWith("TRAWL_")).forEach(variable -> given
                        .put(variable.path("name").asText(), variable.path("value").asText("127.0.0.1")));
        rendered.named("Secret", "trawl-secrets")
                .ifPresent(secret -> secret.path("data").fieldNames().forEachRemaining(key -> given.put(key, "")));

        assertThat(given).containsKey("TRAWL_KAFKA_BOOTSTRAP_SERVERS").containsKey("TRAWL_HTTP_ADVERTISED");
        assertThat(Variables.unknown(given.keySet())).isEmpty();
        given.values().removeIf(String::isEmpty);
        Variables.read(given);
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production", "complete"})
    void theTerminationGracePeriodExceedsTheProcessesGrace(String name) {
        Rendered rendered = overlay(name);
        String grace = rendered.kind("ConfigMap").map(map -> map.at("/data/TRAWL_GRACE").asText())
                .filter(text -> !text.isEmpty()).findFirst()
                .orElseGet(() -> requireNonNull(SettingsReader.properties().get("trawl.grace")).orElseThrow());
        rendered.kind("Deployment").forEach(
                deployment -> assertThat(deployment.at("/spec/template/spec/terminationGracePeriodSeconds").asLong())
                        .as(Rendered.title(deployment))
                        .isGreaterThan(Durations.parse("TRAWL_GRACE", grace).toSeconds() + 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production", "complete"})
    void everyReferenceResolvesToAnObjectOrToOneThatUsersCreate(String name) {
        Rendered rendered = overlay(name);
        Set<String> there = rendered.objects().stream().map(Rendered::name)
                .collect(Collectors.toCollection(HashSet::new));
        if (!name.equals("small")) {
            there.addAll(CREATED_BY_USERS);
        }
        List<String> referred = new ArrayList<>();
        rendered.workloads().flatMap(DeployFiles::all)
                .forEach(value -> Stream
                        .of("/configMapRef/name", "/secretRef/name", "/secretKeyRef/name", "/secret/secretName",
                                "/persistentVolumeClaim/claimName", "/serviceAccountName", "/configMap/name")
                        .map(value::at).filter(JsonNode::isTextual).forEach(found -> referred.add(found.asText())));
        rendered.kind("HorizontalPodAutoscaler", "ScaledObject")
                .forEach(scaler -> referred.add(scaler.at("/spec/scaleTargetRef/name").asText()));

        assertThat(referred).isNotEmpty();
        assertThat(there).containsAll(referred);
    }

    @Test
    void scalingByBacklogReplacesTheAutoscalersWithinTheirBounds() {
        Map<String, List<Integer>> scalers = new TreeMap<>();
        overlay("production").kind("HorizontalPodAutoscaler").forEach(scaler -> scalers.put(Rendered.name(scaler),
                List.of(scaler.at("/spec/minReplicas").asInt(), scaler.at("/spec/maxReplicas").asInt())));
        Map<String, List<Integer>> scaled = new TreeMap<>();
        overlay("complete").kind("ScaledObject").forEach(object -> scaled.put(
                object.at("/spec/scaleTargetRef/name").asText(),
                List.of(object.at("/spec/minReplicaCount").asInt(), object.at("/spec/maxReplicaCount").asInt())));

        assertThat(scaled).hasSize(3).isEqualTo(scalers);
        assertThat(overlay("complete").kind("HorizontalPodAutoscaler")).isEmpty();
    }

    @Test
    void scalingByBacklogQueriesExistingMetrics() throws IOException {
        String metrics = Files.readString(DeployFiles.DEPLOY.resolve("../docs/metrics.md"));
        List<String> queries = overlay("complete").kind("ScaledObject")
                .flatMap(object -> object.at("/spec/triggers").valueStream())
                .map(trigger -> trigger.at("/metadata/query").asText()).toList();

        String namespace = overlay("complete").kind("Namespace").map(Rendered::name).findFirst().orElseThrow();
        assertThat(queries).hasSize(3).allSatisfy(query -> {
            assertThat(query).as("only of this deployment").contains("namespace=\"" + namespace + "\"");
            assertThat(METRIC.matcher(query).results().map(MatchResult::group)).isNotEmpty()
                    .allSatisfy(metric -> assertThat(metrics).contains("| `" + metric + "` |"));
            assertThat(
                    CHANNEL.matcher(query).results().map(found -> found.group(1).replace("requests.*", "requests.p0")))
                    .allSatisfy(channel -> assertThat(metrics).contains("`" + channel + "`"));
        });
    }

    @Test
    void invalidScaledObjectsAreDetected() {
        JsonNode good = overlay("complete").named("ScaledObject", "trawl-analyzer").orElseThrow();
        ObjectNode misspelt = good.deepCopy();
        ((ObjectNode) misspelt.path("spec")).put("cooldownSeconds", 1);
        ObjectNode number = good.deepCopy();
        ((ObjectNode) number.at("/spec/triggers/0/metadata")).put("threshold", 1000);
        ObjectNode unknown = good.deepCopy();
        ((ObjectNode) unknown.at("/spec/triggers/0/metadata")).put("treshold", "1000");
        ObjectNode without = good.deepCopy();
        ((ObjectNode) without.path("spec")).remove("scaleTargetRef");

        assertThat(KubernetesTypes.faults(good)).isEmpty();
        assertThat(KubernetesTypes.faults(misspelt)).anyMatch(fault -> fault.contains("cooldownSeconds"));
        assertThat(KubernetesTypes.faults(number)).anyMatch(fault -> fault.contains("threshold"));
        assertThat(KubernetesTypes.faults(unknown)).anyMatch(fault -> fault.contains("treshold"));
        assertThat(KubernetesTypes.faults(without)).anyMatch(fault -> fault.contains("scaleTargetRef"));
    }
}
