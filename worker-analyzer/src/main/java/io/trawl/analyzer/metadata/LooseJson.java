package io.trawl.analyzer.metadata;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON as pages write it, with comments, trailing commas and line breaks in texts, as far as it can be read: what
 * stands before a fault, or before the limit of {@value #MOST_VALUES} values, is kept. Objects are maps, arrays are
 * lists, all other values are texts; a text of more than {@value #LONGEST} characters is left out.
 */
final class LooseJson {
    private static final int MOST_VALUES = 20_000;
    private static final int MOST_LEVELS = 32;
    private static final int LONGEST = 100_000;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MOST_LEVELS).build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA,
                    JsonReadFeature.ALLOW_MISSING_VALUES, JsonReadFeature.ALLOW_SINGLE_QUOTES,
                    JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS,
                    JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .build();
    private int values;
    private boolean ended;

    private LooseJson() {}

    /** The values of a text: mostly one. */
    static List<Object> read(String json) {
        List<Object> all = new ArrayList<>();
        LooseJson reader = new LooseJson();
        try (JsonParser in = FACTORY.createParser(json)) {
            reader.list(in, all);
        } catch (IOException e) {
            // It does not begin like JSON.
        }
        return all;
    }

    /** Adds the values up to the end of the array, or of the text. */
    private void list(JsonParser in, List<Object> into) {
        for (JsonToken next = next(in); !ended && next != JsonToken.END_ARRAY; next = next(in)) {
            add(in, next, into::add);
        }
    }

    private void object(JsonParser in, Map<String, Object> into) {
        for (JsonToken next = next(in); !ended && next == JsonToken.FIELD_NAME; next = next(in)) {
            String name = name(in);
            JsonToken value = next(in);
            if (!ended) {
                add(in, value, read -> into.putIfAbsent(name, read));
            }
        }
    }

    /** A container is added before it is read, so that what stands before a fault is kept. */
    private void add(JsonParser in, JsonToken token, java.util.function.Consumer<Object> into) {
        switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                into.accept(members);
                object(in, members);
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                into.accept(elements);
                list(in, elements);
            }
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> text(in, into);
            default -> {
                // Nothing that anybody reads.
            }
        }
    }

    private void text(JsonParser in, java.util.function.Consumer<Object> into) {
        try {
            if (in.getTextLength() <= LONGEST) {
                into.accept(in.getText());
            }
        } catch (IOException e) {
            ended = true;
        }
    }

    private String name(JsonParser in) {
        try {
            return in.currentName();
        } catch (IOException e) {
            ended = true;
            return "";
        }
    }

    private JsonToken next(JsonParser in) {
        try {
            JsonToken token = in.nextToken();
            ended |= token == null || ++values > MOST_VALUES;
            return token == null ? JsonToken.NOT_AVAILABLE : token;
        } catch (IOException e) {
            ended = true;
            return JsonToken.NOT_AVAILABLE;
        }
    }
}
