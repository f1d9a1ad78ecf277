package io.trawl.coordinator.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.CrawlVariables.UnsetVariableException;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.model.InvalidValueException.Fault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Puts the values of variables in the place of references in a tree, but for secrets: those stay, and the process that
 * uses them looks them up. A value whose reference is not valid is left out.
 *
 * @param variables of this process
 * @param faults receives what is wrong with references
 */
record DefinitionReferences(CrawlVariables variables, FaultCollector faults) {
    private static final Pattern SECRETS = Pattern.compile(
            "(fetch|fetch\\.rules\\[[0-9]+]|seeds\\[[0-9]+])\\.(headers\\..*|cookie|proxy)"
                    + "|fetch\\.(proxies\\[[0-9]+]|auth\\[[0-9]+]\\.(password|bearer)|login\\[[0-9]+]\\.fields\\..*)|webhooks\\[[0-9]+]\\.(url|secret)"
                    + "|sinks\\[[0-9]+]\\.settings\\.(" + String.join("|", BuiltInSink.secrets()) + ")",
            Pattern.DOTALL);

    void resolve(ObjectNode definition) {
        object("", definition);
    }

    private void object(String path, ObjectNode object) {
        for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
            Optional<JsonNode> value = value(DefinitionText.path(path, field.getKey()), field.getValue());
            value.ifPresentOrElse(known -> object.set(field.getKey(), known), () -> object.remove(field.getKey()));
        }
    }

    private Optional<JsonNode> value(String path, JsonNode value) {
        switch (value) {
            case ObjectNode object -> object(path, object);
            case ArrayNode list -> {
                for (int i = 0; i < list.size(); i++) {
                    // The other elements keep their indices.
                    list.set(i, value(DefinitionText.path(path, i), list.get(i)).orElse(TextNode.valueOf("")));
                }
            }
            case TextNode text when CrawlVariables.in(text.asText()) && !SECRETS.matcher(path).matches() -> {
                return text(path, text.asText());
            }
            default -> {
                // It has no reference, or one that stays.
            }
        }
        return Optional.of(value);
    }

    private Optional<JsonNode> text(String path, String text) {
        Optional<String> broken = CrawlVariables.fault(text, CrawlVariables.VALUE);
        if (broken.isPresent()) {
            faults.add(() -> new Fault(path, text, broken.get()));
            return Optional.empty();
        }
        try {
            return Optional.of(new ResolvedText(variables.resolve(text)));
        } catch (UnsetVariableException e) {
            faults.add(() -> new Fault(path, text, "a variable that is set; " + e.getMessage()));
            return Optional.empty();
        }
    }

    /** A text from the environment, where numbers and truths have no other form. */
    static final class ResolvedText extends TextNode {
        private ResolvedText(String value) {
            super(value);
        }

        /** The value as one of a type, if it is from the environment and can be one. */
        static JsonNode as(Class<?> type, JsonNode value) {
            if (!(value instanceof ResolvedText)) {
                return value;
            }
            String text = value.asText();
            boolean number = Number.class.isAssignableFrom(type) && text.matches("-?[0-9]{1,18}");
            boolean truth = type == Boolean.class && text.matches("true|false");
            return number
                    ? LongNode.valueOf(Long.parseLong(text))
                    : truth ? BooleanNode.valueOf(text.equals("true")) : value;
        }
    }
}
