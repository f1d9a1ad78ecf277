package io.trawl.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.model.Durations;
import io.trawl.settings.SettingsReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The overlays, rendered without a cluster. They have never been applied to one by this build. */
class ManifestsTest {
    private static final Map<String, Rendered> RENDERED = new HashMap<>();
    /** What the production overlay tells people to make by hand. */
    private static final Set<String> MADE_BY_HAND = Set.of("trawl-secrets", "trawl-kafka");

    @BeforeAll
    static void render() throws IOException, InterruptedException {
        Rendered.obstacle().ifPresent(Assumptions::abort);
        for (String overlay : List.of("small", "production")) {
            RENDERED.put(overlay, Rendered.of(DeployFiles.KUBERNETES.resolve("overlays").resolve(overlay)));
        }
    }

    private static Rendered overlay(String name) {
        Rendered rendered = RENDERED.get(name);
        assertThat(rendered).isNotNull();
        assertThat(rendered.objects()).as(name).hasSizeGreaterThan(15);
        return rendered;
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production"})
    void everyObjectIsWhatTheApiTakes(String name) {
        Map<String, List<String>> faults = new TreeMap<>();
        overlay(name).objects().forEach(object -> faults.put(Rendered.title(object), KubernetesTypes.faults(object)));

        assertThat(faults).allSatisfy((title, found) -> assertThat(found).as(title).isEmpty());
    }

    @Test
    void aMisspeltFieldAWrongTypeAndAMissingFieldAreFound() {
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
    @ValueSource(strings = {"small", "production"})
    void everySelectorFindsPodsAndEveryPortIsOneOfTheirs(String name) {
        Rendered rendered = overlay(name);
        List<JsonNode> pods = rendered.workloads().map(workload -> workload.at("/spec/template")).toList();
        rendered.workloads().forEach(workload -> assertThat(selected(workload.at("/spec/selector/matchLabels"),
                List.of(workload.at("/spec/template")))).as(Rendered.title(workload)).hasSize(1));
        rendered.kind("PodDisruptionBudget").forEach(budget -> assertThat(selected(budget.at("/spec/selector/matchLabels"), pods))
                .as(Rendered.title(budget)).hasSize(1));
        rendered.kind("NetworkPolicy").forEach(policy -> assertThat(selected(policy.at("/spec/podSelector/matchLabels"), pods))
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
        return pods.stream().filter(pod -> labels.properties().stream()
                .allMatch(label -> label.getValue().equals(pod.at("/metadata/labels").path(label.getKey())))).toList();
    }

    private static Set<String> ports(JsonNode pod) {
        return pod.at("/spec/containers/0/ports").findValuesAsText("name").stream().collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production"})
    void everyContainerIsProbedLimitedAndConfined(String name) {
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
                assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true)).as(title).isFalse();
                assertThat(container.path("image").asText()).as(title).matches("[^:@]+:.+").doesNotEndWith(":latest");
            });
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production"})
    void everySettingIsOneThatTheProcessesKnowAndHasAValueThatTheyTake(String name) {
        Rendered rendered = overlay(name);
        Map<String, String> given = new TreeMap<>();
        rendered.kind("ConfigMap").forEach(map -> map.path("data").properties()
                .forEach(entry -> given.put(entry.getKey(), entry.getValue().asText())));
        rendered.kind("Deployment").flatMap(DeployFiles::all).filter(value -> value.path("name").asText().startsWith("TRAWL_"))
                .forEach(variable -> given.put(variable.path("name").asText(), variable.path("value").asText("127.0.0.1")));
        rendered.named("Secret", "trawl-secrets").ifPresent(secret -> secret.path("data").fieldNames()
                .forEachRemaining(key -> given.put(key, "")));

        assertThat(given).containsKey("TRAWL_KAFKA_BOOTSTRAP_SERVERS").containsKey("TRAWL_HTTP_ADVERTISED");
        assertThat(Variables.unknown(given.keySet())).isEmpty();
        given.values().removeIf(String::isEmpty);
        Variables.read(given);
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production"})
    void aPodIsGivenMoreTimeToEndThanItsProcessTakes(String name) {
        Rendered rendered = overlay(name);
        String grace = rendered.kind("ConfigMap").map(map -> map.at("/data/TRAWL_GRACE").asText())
                .filter(text -> !text.isEmpty()).findFirst()
                .orElseGet(() -> SettingsReader.properties().get("trawl.grace").orElseThrow());
        rendered.kind("Deployment").forEach(deployment -> assertThat(
                deployment.at("/spec/template/spec/terminationGracePeriodSeconds").asLong()).as(Rendered.title(deployment))
                .isGreaterThan(Durations.parse("TRAWL_GRACE", grace).toSeconds() + 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "production"})
    void everythingThatIsReferredToIsThereOrIsToBeMadeByHand(String name) {
        Rendered rendered = overlay(name);
        Set<String> there = rendered.objects().stream().map(Rendered::name).collect(Collectors.toCollection(HashSet::new));
        if (name.equals("production")) {
            there.addAll(MADE_BY_HAND);
        }
        List<String> referred = new ArrayList<>();
        rendered.workloads().flatMap(DeployFiles::all).forEach(value -> Stream
                .of("/configMapRef/name", "/secretRef/name", "/secretKeyRef/name", "/secret/secretName",
                        "/persistentVolumeClaim/claimName", "/serviceAccountName")
                .map(value::at).filter(JsonNode::isTextual).forEach(found -> referred.add(found.asText())));
        rendered.kind("HorizontalPodAutoscaler").forEach(scaler -> referred.add(scaler.at("/spec/scaleTargetRef/name").asText()));

        assertThat(referred).isNotEmpty();
        assertThat(there).containsAll(referred);
    }

    @Test
    void whatScalesByWaitingWorkHasTextsOnlyAndTakesThePlaceOfTheAutoscalers() throws Exception {
        var component = DeployFiles.KUBERNETES.resolve("components/keda");
        Rendered production = overlay("production");
        List<JsonNode> scaled = DeployFiles.documents(java.nio.file.Files.readString(component.resolve("scaledobjects.yaml")));

        assertThat(scaled).hasSize(3).allSatisfy(object -> {
            assertThat(object.path("apiVersion").asText()).isEqualTo("keda.sh/v1alpha1");
            assertThat(production.named("Deployment", object.at("/spec/scaleTargetRef/name").asText())).isPresent();
            assertThat(object.at("/spec/triggers").size()).isPositive();
            object.at("/spec/triggers").forEach(trigger -> assertThat(trigger.path("metadata").valueStream())
                    .isNotEmpty().allMatch(JsonNode::isTextual));
        });
        assertThat(DeployFiles.tree(component.resolve("kustomization.yaml")).path("patches").findValuesAsText("name"))
                .containsExactlyElementsOf(production.kind("HorizontalPodAutoscaler").map(Rendered::name)
                        .sorted(java.util.Comparator.comparing(n -> scaled.stream().map(Rendered::name).toList().indexOf(n)))
                        .toList());
    }
}
