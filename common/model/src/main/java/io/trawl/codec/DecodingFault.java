package io.trawl.codec;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with JSON that cannot be decoded: field, value and rule, in the words of the format. It decides by the
 * types of exceptions, and takes no text from a library. Pure.
 */
final class DecodingFault {
    private static final int SNIPPET = 20;
    /** Characters of a field, a value or a rule. */
    private static final int LONGEST = 200;

    private DecodingFault() {}

    /**
     * @param json what was decoded
     * @param in as the exception has left it
     */
    static Fault of(Exception e, byte[] json, JsonParser in) {
        String path = path(e);
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            Optional<Fault> fault = switch (cause) {
                case InvalidValueException invalid ->
                    Optional.of(new Fault(ofOneField(e, path) ? path : within(path, invalid.field()),
                            line(invalid.value()), line(invalid.rule()) + hint(e, invalid.value())));
                case StreamConstraintsException _ ->
                    Optional.of(new Fault(path, "too much JSON", bounds(in.streamReadConstraints())));
                case InputCoercionException number ->
                    Optional.of(new Fault(path, token(in), range(number.getTargetType())));
                case StreamReadException noJson -> Optional.of(noJson(noJson, json));
                case CharConversionException _ -> Optional.of(new Fault("", "its bytes", "JSON in UTF-8"));
                default -> Optional.empty();
            };
            if (fault.isPresent()) {
                return fault.get();
            }
        }
        return switch (e) {
            case InvalidFormatException format -> new Fault(path, line(String.valueOf(format.getValue())),
                    rule(format.getTargetType(), String.valueOf(format.getValue())));
            case MismatchedInputException mismatch ->
                new Fault(path, token(in), rule(mismatch.getTargetType(), token(in)));
            default -> new Fault(path, token(in), "a value of another kind, and none that is null");
        };
    }

    /** A field that a record does not have, with its value, where the parser stands. */
    static InvalidValueException unknown(String name, JsonParser in, Class<?> record) {
        return new InvalidValueException(line(name), token(in), Json.fieldRule(name, record));
    }

    /** The nearest word, if the value is to be one of an enumeration. */
    private static String hint(Exception e, String written) {
        return e instanceof ValueInstantiationException instantiation && instantiation.getType().isEnumType()
                ? NearestName.hint(written, words(instantiation.getType().getRawClass()))
                : "";
    }

    private static Stream<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(DecodingFault::word);
    }

    private static String bounds(StreamReadConstraints limits) {
        return "at most " + limits.getMaxNestingDepth() + " levels, "
                + (limits.hasMaxTokenCount() ? limits.getMaxTokenCount() + " names, values and brackets, " : "")
                + limits.getMaxNameLength() + " characters in a name, " + limits.getMaxStringLength()
                + " in a text, and " + limits.getMaxNumberLength() + " in a number";
    }

    /** More follows after the value. */
    static Fault trailing(JsonParser in) {
        return new Fault("", token(in),
                "nothing after the end of the JSON, which is at " + place(in.currentTokenLocation()));
    }

    private static Fault noJson(JsonProcessingException e, byte[] json) {
        if (e instanceof JsonEOFException) {
            return new Fault("", tail(json), "complete JSON: it ends in the middle of a value");
        }
        JsonLocation at = e.getLocation();
        int offset = at == null ? 0 : Math.clamp(at.getByteOffset(), 0, json.length);
        String value = new String(json, offset, Math.min(SNIPPET, json.length - offset), StandardCharsets.UTF_8);
        Fault fault = new Fault("", line(value), "JSON; it is none at " + place(at));
        return at == null ? fault : fault.at(at.getLineNr(), at.getColumnNr());
    }

    private static String tail(byte[] json) {
        int start = Math.max(0, json.length - SNIPPET);
        return line(new String(json, start, json.length - start, StandardCharsets.UTF_8));
    }

    private static String place(@Nullable JsonLocation at) {
        return at == null ? "its start" : "line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** {@code seeds[3].headers.Accept} */
    private static String path(Exception e) {
        if (!(e instanceof JsonMappingException mapping)) {
            return "";
        }
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : mapping.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return line(path.toString());
    }

    /**
     * Whether a value of one field was read, such as a word of an enum: its type does not know in which field it
     * stands.
     */
    private static boolean ofOneField(Exception e, String path) {
        return !path.isEmpty() && e instanceof ValueInstantiationException instantiation
                && !instantiation.getType().isRecordType();
    }

    /** The path of a field that the constructor of a record has named. */
    private static String within(String path, String field) {
        return path.isEmpty() || field.isEmpty() || ("." + path).endsWith("." + field)
                ? path + (path.isEmpty() ? field : "")
                : path + "." + field;
    }

    private static String token(JsonParser in) {
        JsonToken token = in.currentToken();
        if (token == null) {
            return "";
        }
        try {
            return switch (token) {
                case START_OBJECT, END_OBJECT -> "{...}";
                case START_ARRAY, END_ARRAY -> "[...]";
                default -> line(String.valueOf(in.getText()));
            };
        } catch (IOException e) {
            return "";
        }
    }

    static String rule(@Nullable Class<?> type, String written) {
        if (type == null) {
            return "a value of another kind";
        }
        if (type.isEnum()) {
            return "one of " + words(type).collect(Collectors.joining(", ")) + NearestName.hint(written, words(type));
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false, without quotes";
        }
        if (type == String.class) {
            return "a text in quotes";
        }
        if (type == Instant.class) {
            return "a time in ISO 8601, such as 2026-01-31T08:00:00.000Z";
        }
        if (type.isArray() || Collection.class.isAssignableFrom(type)) {
            return "a list, such as [...]";
        }
        return type.isPrimitive() || Number.class.isAssignableFrom(type) ? range(type) : object(type);
    }

    private static String word(Object constant) {
        return Json.text(constant).replace("\"", "");
    }

    private static String object(Class<?> type) {
        if (!type.isRecord()) {
            return Map.class.isAssignableFrom(type) ? "an object with a text for each name" : "an object";
        }
        boolean text = Stream.of(type.getDeclaredMethods()).map(m -> m.getAnnotation(JsonCreator.class))
                .anyMatch(creator -> creator != null && creator.mode() == JsonCreator.Mode.DELEGATING);
        return (text ? "a text, or an object with the fields " : "an object with the fields ")
                + Json.fields(type).sorted().collect(Collectors.joining(", "));
    }

    private static String range(@Nullable Class<?> type) {
        if (type == Double.class || type == double.class || type == Float.class || type == float.class) {
            return "a number, without quotes";
        }
        return type == Integer.class || type == int.class
                ? "a whole number of at most " + Integer.MAX_VALUE + ", without quotes"
                : "a whole number of at most " + Long.MAX_VALUE + ", without quotes";
    }

    private static String line(String text) {
        return MalformedRecordException.line(text, LONGEST);
    }
}
