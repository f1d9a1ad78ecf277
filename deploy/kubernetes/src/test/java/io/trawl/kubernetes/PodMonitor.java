package io.trawl.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;

/**
 * The part of the Prometheus operator's {@code PodMonitor} that the component uses, according to the operator's API
 * reference (monitoring.coreos.com/v1); it publishes no Java types. Fields outside this part are refused.
 */
record PodMonitor(String apiVersion, String kind, JsonNode metadata, @JsonProperty(required = true) MonitorSpec spec) {
    static final String TYPE = "monitoring.coreos.com/v1/PodMonitor";
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS).build();

    /** What to scrape, and the labels that it gets. */
    record MonitorSpec(String jobLabel, List<String> podTargetLabels, PodSelector selector,
            List<ScrapeTarget> podMetricsEndpoints) {}

    /** The pods. */
    record PodSelector(Map<String, String> matchLabels) {}

    /** The port and path of each. */
    record ScrapeTarget(String port, String path, String interval) {}

    /** All faults of such an object. */
    static List<String> faults(JsonNode object) {
        try {
            PodMonitor read = STRICT.treeToValue(object, PodMonitor.class);
            return read == null ? List.of("empty") : List.of();
        } catch (JsonProcessingException e) {
            return List.of(e.getOriginalMessage());
        }
    }
}
