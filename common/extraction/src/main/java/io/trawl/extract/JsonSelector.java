package io.trawl.extract;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.Option;
import com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider;
import com.jayway.jsonpath.spi.mapper.JacksonMappingProvider;
import io.trawl.codec.Json;
import io.trawl.extract.Part.JsonPart;
import io.trawl.model.InvalidValueException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JSON Pointer (RFC 6901), or a JSONPath that begins with {@code $}. Of an array its elements are found. Immutable
 * and thread-safe.
 */
sealed interface JsonSelector {
    /** The values that it finds, in order, without nulls. */
    List<Part> select(JsonNode from);

    /** @throws InvalidValueException if it is neither */
    static JsonSelector of(String text) {
        return text.startsWith("$") ? new Path(Path.compile(text)) : new Pointer(Pointer.compile(text));
    }

    private static List<Part> parts(Stream<JsonNode> found) {
        return found.flatMap(value -> value.isArray() ? value.valueStream() : Stream.of(value))
                .filter(value -> !value.isNull() && !value.isMissingNode()).<Part>map(JsonPart::new).toList();
    }

    /** One value. */
    record Pointer(JsonPointer pointer) implements JsonSelector {
        static JsonPointer compile(String text) {
            try {
                return JsonPointer.compile(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidValueException("", text,
                        "a JSON Pointer such as /items/0/name, or a JSONPath such as $.items[*].name");
            }
        }

        @Override
        public List<Part> select(JsonNode from) {
            return parts(Stream.of(from.at(pointer)));
        }
    }

    /** Any number of values. */
    record Path(JsonPath path) implements JsonSelector {
        private static final int LONGEST = 500;
        private static final String RULE = "a JSONPath of at most " + LONGEST
                + " characters, with at most one .., without =~, and without" + " arguments of functions";
        private static final Pattern ARGUMENTS = Pattern.compile("[A-Za-z]\\([^)]");
        private static final Configuration SETTINGS = Configuration.builder()
                .jsonProvider(new JacksonJsonNodeJsonProvider(Json.mapper()))
                .mappingProvider(new JacksonMappingProvider(Json.mapper()))
                .options(Option.ALWAYS_RETURN_LIST, Option.SUPPRESS_EXCEPTIONS).build();

        /**
         * Its regular expressions are those of the JDK, which can take for ever, each .. visits the whole value, and a
         * function keeps the arguments of the page before.
         */
        static JsonPath compile(String text) {
            String bare = text.replaceAll("'[^']*'|\"[^\"]*\"", "");
            if (text.length() > LONGEST || !balanced(bare) || ARGUMENTS.matcher(bare).find() || text.contains("=~")
                    || text.split("\\.\\.", -1).length > 2) {
                throw new InvalidValueException("", text, RULE);
            }
            try {
                return JsonPath.compile(text);
            } catch (RuntimeException e) {
                throw new InvalidValueException("", text, RULE + ": " + e.getMessage());
            }
        }

        /** Whether its brackets end, which the library does not check. */
        private static boolean balanced(String bare) {
            return bare.chars().filter(c -> c == '[').count() == bare.chars().filter(c -> c == ']').count()
                    && bare.chars().filter(c -> c == '(').count() == bare.chars().filter(c -> c == ')').count();
        }

        @Override
        public List<Part> select(JsonNode from) {
            return path.read(from, SETTINGS) instanceof JsonNode found ? parts(found.valueStream()) : List.of();
        }
    }
}
