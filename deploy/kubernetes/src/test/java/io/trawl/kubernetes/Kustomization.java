package io.trawl.kubernetes;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Renders a folder by the part of Kustomize that the overlays use, in Kustomize's order, so that every build can check
 * them; fields outside that part are refused. Differs from {@code kubectl kustomize} in one point: generated names have
 * no hash of the content. Not thread-safe.
 */
final class Kustomization {
    private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "namespace", "resources", "components",
            "labels", "configMapGenerator", "secretGenerator", "images", "replicas", "patches");
    private final List<JsonNode> objects;

    private Kustomization(List<JsonNode> objects) {
        this.objects = objects;
    }

    /** The objects of a folder. */
    static List<JsonNode> render(Path folder) throws IOException {
        Kustomization all = new Kustomization(new ArrayList<>());
        all.add(folder);
        return all.objects;
    }

    private void add(Path folder) throws IOException {
        JsonNode file = DeployFiles.tree(folder.resolve("kustomization.yaml"));
        file.fieldNames().forEachRemaining(field -> check(FIELDS.contains(field), folder + ": " + field));
        for (JsonNode resource : file.path("resources")) {
            Path path = folder.resolve(resource.asText()).normalize();
            if (Files.isDirectory(path)) {
                objects.addAll(render(path));
            } else {
                objects.addAll(DeployFiles.documents(Files.readString(path)));
            }
        }
        for (JsonNode component : file.path("components")) {
            add(folder.resolve(component.asText()).normalize());
        }
        for (JsonNode generator : file.path("configMapGenerator")) {
            generate("ConfigMap", generator, folder);
        }
        for (JsonNode generator : file.path("secretGenerator")) {
            generate("Secret", generator, folder);
        }
        for (JsonNode patch : file.path("patches")) {
            patch(patch, folder);
        }
        transform(file);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not supported by the check of the manifests: " + what);
        }
    }

    private void generate(String kind, JsonNode generator, Path folder) throws IOException {
        Map<String, String> data = new LinkedHashMap<>();
        for (JsonNode env : generator.path("envs")) {
            Files.readAllLines(folder.resolve(env.asText())).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> pair(line, data));
        }
        generator.path("literals").forEach(literal -> pair(literal.asText(), data));
        for (JsonNode file : generator.path("files")) {
            String[] named = file.asText().split("=", 2);
            data.put(named[0], Files.readString(folder.resolve(named[named.length - 1])));
        }
        String name = generator.path("name").asText();
        ObjectNode object = generator.path("behavior").asText("create").equals("merge")
                ? (ObjectNode) objects.stream()
                        .filter(o -> o.path("kind").asText().equals(kind) && Rendered.name(o).equals(name)).findFirst()
                        .orElseThrow(() -> new IllegalStateException("nothing to merge with: " + name))
                : created(kind, name);
        data.forEach((key, value) -> ((ObjectNode) object.path("data")).put(key,
                kind.equals("Secret")
                        ? Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
                        : value));
    }

    private static void pair(String line, Map<String, String> into) {
        int equals = line.indexOf('=');
        into.put(line.substring(0, equals), line.substring(equals + 1));
    }

    private ObjectNode created(String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", kind);
        object.putObject("metadata").put("name", name);
        object.putObject("data");
        if (kind.equals("Secret")) {
            object.put("type", "Opaque");
        }
        objects.add(object);
        return object;
    }

    private void patch(JsonNode patch, Path folder) throws IOException {
        String text = patch.has("path")
                ? Files.readString(folder.resolve(patch.path("path").asText()))
                : patch.path("patch").asText();
        JsonNode change = DeployFiles.tree(text);
        List<JsonNode> targets = objects.stream().filter(object -> selected(patch.path("target"), object)).toList();
        check(!targets.isEmpty(), "a patch without a target: " + patch);
        if (change.path("$patch").asText().equals("delete")) {
            objects.removeAll(targets);
            return;
        }
        check(change instanceof ArrayNode, "a patch that is no JSON patch: " + change);
        targets.forEach(target -> change.forEach(step -> apply(step, target)));
    }

    /** A step of a JSON patch (RFC 6902): add, replace or remove. */
    private static void apply(JsonNode step, JsonNode target) {
        JsonPointer path = JsonPointer.compile(step.path("path").asText());
        JsonNode parent = target.at(path.head());
        String last = path.last().getMatchingProperty();
        String operation = step.path("op").asText();
        boolean there = parent.has(last);
        check(operation.equals("add") || there && Set.of("replace", "remove").contains(operation),
                step + " of " + Rendered.title(target));
        if (parent instanceof ArrayNode list) {
            check(operation.equals("add") && last.equals("-"), step.toString());
            list.add(step.path("value").deepCopy());
        } else if (operation.equals("remove")) {
            ((ObjectNode) parent).remove(last);
        } else {
            ((ObjectNode) parent).set(last, step.path("value").deepCopy());
        }
    }

    private static boolean selected(JsonNode target, JsonNode object) {
        String[] label = target.path("labelSelector").asText("").split("=");
        return object.path("kind").asText().matches(target.path("kind").asText(".*"))
                && Rendered.name(object).matches(target.path("name").asText(".*"))
                && (label.length < 2 || object.at("/metadata/labels").path(label[0]).asText().equals(label[1]));
    }

    private void transform(JsonNode file) {
        for (JsonNode object : objects) {
            ObjectNode metadata = (ObjectNode) object.path("metadata");
            if (file.has("namespace") && !object.path("kind").asText().equals("Namespace")) {
                metadata.put("namespace", file.path("namespace").asText());
            }
            file.path("labels").forEach(label -> {
                check(label.size() == 1, "labels with more than pairs");
                metadata.withObjectProperty("labels").setAll((ObjectNode) label.path("pairs"));
            });
            file.path("replicas").forEach(replicas -> {
                if (Rendered.name(object).equals(replicas.path("name").asText())
                        && object.at("/spec/replicas").isNumber()) {
                    ((ObjectNode) object.path("spec")).set("replicas", replicas.path("count"));
                }
            });
            object.at("/spec/template/spec/containers")
                    .forEach(container -> file.path("images").forEach(image -> image((ObjectNode) container, image)));
        }
    }

    private static void image(ObjectNode container, JsonNode image) {
        String[] present = container.path("image").asText().split(":");
        if (present[0].equals(image.path("name").asText())) {
            String tag = Optional.ofNullable(image.get("newTag")).map(JsonNode::asText).orElse(present[1]);
            container.set("image", TextNode.valueOf(image.path("newName").asText(present[0]) + ":" + tag));
        }
    }
}
