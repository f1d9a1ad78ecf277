package io.trawl.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of KEDA's {@code ScaledObject} that the component uses, according to KEDA's documentation (keda.sh,
 * "ScaledObject specification" and "Prometheus", 2.x); KEDA publishes no Java types. Fields outside this part are
 * refused, even if KEDA accepts them.
 */
record ScaledObject(String apiVersion, String kind, JsonNode metadata, @JsonProperty(required = true) Spec spec) {
    static final String TYPE = "keda.sh/v1alpha1/ScaledObject";
    private static final Set<String> NEEDED = Set.of("serverAddress", "query", "threshold");
    private static final Set<String> OPTIONAL = Set.of("activationThreshold", "namespace", "queryParameters",
            "customHeaders", "authModes", "ignoreNullValues", "unsafeSsl", "timeout");
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    /** The target, the bounds and the triggers. */
    record Spec(@JsonProperty(required = true) Target scaleTargetRef, @Nullable Integer pollingInterval,
            @Nullable Integer cooldownPeriod, @Nullable Integer initialCooldownPeriod,
            @Nullable Integer idleReplicaCount, @Nullable Integer minReplicaCount, @Nullable Integer maxReplicaCount,
            @JsonProperty(required = true) List<Trigger> triggers) {}

    /** The target; by default a Deployment in the same namespace. */
    record Target(@Nullable String apiVersion, @Nullable String kind, @JsonProperty(required = true) String name,
            @Nullable String envSourceContainerName) {}

    /** The metric that triggers scaling. */
    record Trigger(@JsonProperty(required = true) String type, @Nullable String name, @Nullable String metricType,
            @Nullable Boolean useCachedMetrics, @JsonProperty(required = true) Map<String, JsonNode> metadata) {
        private List<String> faults() {
            List<String> faults = new ArrayList<>();
            if (!type.equals("prometheus")) {
                faults.add("no trigger of type " + type + " is supported here");
            }
            NEEDED.stream().filter(key -> !metadata.containsKey(key)).forEach(key -> faults.add("no " + key));
            metadata.forEach((key, value) -> {
                if (!NEEDED.contains(key) && !OPTIONAL.contains(key)) {
                    faults.add("unknown " + key);
                }
                if (!value.isTextual()) {
                    faults.add(key + " is not a string");
                }
            });
            return faults;
        }
    }

    /** All faults of such an object. */
    static List<String> faults(JsonNode object) {
        try {
            return STRICT.treeToValue(object, ScaledObject.class).spec().triggers().stream()
                    .flatMap(trigger -> trigger.faults().stream()).toList();
        } catch (JsonProcessingException e) {
            return List.of(e.getOriginalMessage());
        }
    }
}
