package io.trawl.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates objects of the Kubernetes API with two models: one refuses values of a wrong type but accepts unknown
 * fields, the other does the reverse. An object is valid if both accept it.
 */
final class KubernetesTypes {
    /** The validation of an object by a model. */
    private interface Check {
        void check(JsonElement object) throws IOException;
    }

    private static final Map<String, Check> CHECKS = Map.ofEntries(
            Map.entry("v1/Namespace", V1Namespace::validateJsonElement),
            Map.entry("v1/ServiceAccount", V1ServiceAccount::validateJsonElement),
            Map.entry("v1/ConfigMap", V1ConfigMap::validateJsonElement),
            Map.entry("v1/Secret", V1Secret::validateJsonElement),
            Map.entry("v1/Service", V1Service::validateJsonElement),
            Map.entry("v1/PersistentVolumeClaim", V1PersistentVolumeClaim::validateJsonElement),
            Map.entry("apps/v1/Deployment", V1Deployment::validateJsonElement),
            Map.entry("apps/v1/StatefulSet", V1StatefulSet::validateJsonElement),
            Map.entry("policy/v1/PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement),
            Map.entry("networking.k8s.io/v1/Ingress", V1Ingress::validateJsonElement),
            Map.entry("networking.k8s.io/v1/NetworkPolicy", V1NetworkPolicy::validateJsonElement),
            Map.entry("autoscaling/v2/HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement));

    private static final KubernetesSerialization MODEL = new KubernetesSerialization();

    private KubernetesTypes() {}

    /** All faults of an object; empty if it is valid. */
    static List<String> faults(JsonNode object) {
        List<String> faults = new ArrayList<>();
        String kind = object.path("apiVersion").asText() + "/" + object.path("kind").asText();
        if (kind.equals(ScaledObject.TYPE)) {
            return ScaledObject.faults(object);
        }
        if (kind.equals(PodMonitor.TYPE)) {
            return PodMonitor.faults(object);
        }
        Check check = CHECKS.get(kind);
        if (check == null) {
            return List.of("unknown type " + kind);
        }
        try {
            JSON.getGson();
            check.check(JsonParser.parseString(object.toString()));
        } catch (IOException | IllegalArgumentException e) {
            faults.add(e.getMessage());
        }
        try {
            unknown(MODEL.unmarshal(object.toString()), kind, faults);
        } catch (RuntimeException e) {
            faults.add(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return faults;
    }

    /** Collects the values that the model keeps as additional properties because it has no field for them. */
    private static void unknown(@Nullable Object value, String path, List<String> found) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, part) -> unknown(part, path + "." + key, found));
        } else if (value instanceof Collection<?> parts) {
            parts.forEach(part -> unknown(part, path + "[]", found));
        } else if (value != null && value.getClass().getName().startsWith("io.fabric8.kubernetes.api.model")) {
            for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
                fields(type, value, path, found);
            }
        }
    }

    private static void fields(Class<?> type, Object value, String path, List<String> found) {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || type.isEnum()) {
                continue;
            }
            Object part = read(field, value);
            if (field.getName().equals("additionalProperties") && part instanceof Map<?, ?> map) {
                map.keySet().forEach(key -> found.add("unknown field " + path + "." + key));
            } else {
                unknown(part, path + "." + field.getName(), found);
            }
        }
    }

    private static @Nullable Object read(Field field, Object value) {
        try {
            field.setAccessible(true);
            return field.get(value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
