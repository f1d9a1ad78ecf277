package io.trawl.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValueException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON mapper of Trawl: absent values are left out, times are ISO 8601, durations are {@code 500ms}, unknown fields are ignored, and so are
 * unknown values of enums that declare a default. Thread-safe.
 */
public final class Json {
    private static final Pattern CLASS_NAME = Pattern.compile("`?(?:[a-z]+\\.)+([A-Z][A-Za-z]*)`?");
    private static final int MOST_LEVELS = 32;
    private static final long MOST_VALUES = 500_000;
    private static final JsonMapper MAPPER = mapper(new JsonFactory());
    private static final JsonMapper BOUNDED = mapper(JsonFactory.builder().streamReadConstraints(
            StreamReadConstraints.builder().maxNestingDepth(MOST_LEVELS).maxTokenCount(MOST_VALUES).build()).build());

    private static JsonMapper mapper(JsonFactory factory) {
        return JsonMapper.builder(factory)
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addModule(new SimpleModule("durations").addSerializer(Duration.class, new DurationWriter())
                        .addDeserializer(Duration.class, new DurationReader())
                        .addDeserializer(Instant.class, new InstantReader()))
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /** The largest number of characters of an explanation. */
    private static final int LONGEST_MESSAGE = 500;

    private Json() {}

    /** The mapper itself, for trees and streaming. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** The value as UTF-8 JSON on one line. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** The value as JSON text on one line. */
    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /**
     * Reads a value.
     *
     * @param json null for a record without a value
     * @throws MalformedRecordException if it is not JSON of that type; the message is suitable for users
     */
    public static <T> T read(byte @Nullable [] json, Class<T> type) {
        return read(MAPPER, json, type);
    }

    /**
     * The same for what a caller sends: at most {@value #MOST_LEVELS} levels and {@value #MOST_VALUES} names, values and brackets, so that a small text does not
     * take much memory.
     */
    public static <T> T readBounded(byte[] json, Class<T> type) {
        return read(BOUNDED, json, type);
    }

    private static <T> T read(JsonMapper mapper, byte @Nullable [] json, Class<T> type) {
        if (json == null) {
            throw new MalformedRecordException("has no value");
        }
        try {
            T value = mapper.readValue(json, type);
            if (value == null) {
                throw new MalformedRecordException("is null, not a JSON object");
            }
            return value;
        } catch (MalformedRecordException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The mapper does not wrap every exception of a constructor or of a number out of range.
            throw new MalformedRecordException(explain(e, mapper.getFactory().streamReadConstraints()));
        }
    }

    /** The cause of a parse failure of a record, on one line without class names. */
    static String explain(Exception e) {
        return explain(e, MAPPER.getFactory().streamReadConstraints());
    }

    private static String explain(Exception e, StreamReadConstraints limits) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidValueException invalid) {
                return line(invalid.getMessage());
            }
            if (cause instanceof StreamConstraintsException) {
                return "too much JSON: at most " + limits.getMaxNestingDepth() + " levels, "
                        + (limits.hasMaxTokenCount() ? limits.getMaxTokenCount() + " names, values and brackets, " : "")
                        + limits.getMaxNameLength() + " characters in a name, " + limits.getMaxStringLength() + " in a text, and "
                        + limits.getMaxNumberLength() + " in a number";
            }
        }
        String message = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        String first = message == null ? "a value is null" : message.lines().findFirst().orElse("not JSON");
        return CLASS_NAME.matcher(line(first)).replaceAll("$1");
    }

    /** Cut, since a message quotes what strangers wrote: it may be long, and the pattern above takes quadratic time. */
    private static String line(String message) {
        String cut = message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) + "…" : message;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    private static final class DurationWriter extends StdScalarSerializer<Duration> {
        DurationWriter() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(Durations.format(value));
        }
    }

    private static final class DurationReader extends StdScalarDeserializer<Duration> {
        private static final Duration LONGEST = Duration.ofDays(36_525);

        DurationReader() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Duration duration = Durations.parse(String.valueOf(in.currentName()), in.getText());
            if (duration.compareTo(LONGEST) > 0) {
                throw new InvalidValueException(String.valueOf(in.currentName()), in.getText(), "at most 100 years");
            }
            return duration;
        }
    }

    /** Sums and differences of the times that it returns do not overflow, in milliseconds. */
    private static final class InstantReader extends StdScalarDeserializer<Instant> {
        private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

        InstantReader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Instant time = InstantDeserializer.INSTANT.deserialize(in, context);
            if (time == null || time.isBefore(Instant.EPOCH) || time.isAfter(LAST)) {
                throw new InvalidValueException(String.valueOf(in.currentName()), in.getText(),
                        "a time of the years 1970 to 9999");
            }
            return time;
        }
    }
}
