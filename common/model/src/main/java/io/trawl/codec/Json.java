package io.trawl.codec;

import io.trawl.value.TimestampFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import io.trawl.model.Durations;
import io.trawl.model.Sha256;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON mapper of Trawl: absent values are left out, times are ISO 8601 with three digits of the second,
 * durations are {@code 500ms}, unknown fields of records are ignored, and so are unknown values of enums that declare a
 * default. Thread-safe.
 */
public final class Json {
    private static final int MOST_LEVELS = 32;
    private static final long MOST_VALUES = 500_000;
    private static final String PART = "part";
    private static final JsonMapper MAPPER = mapper(new JsonFactory());
    private static final JsonMapper BOUNDED = strict(mapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MOST_LEVELS).maxTokenCount(MOST_VALUES).build())
            .build()));
    private static JsonMapper mapper(JsonFactory factory) {
        return JsonMapper.builder(factory).addModule(new Jdk8Module()).addModule(new JavaTimeModule())
                .addModule(new SimpleModule("durations").addSerializer(Duration.class, new DurationWriter())
                        .addDeserializer(Duration.class, new DurationReader())
                        .addSerializer(Instant.class, new InstantWriter())
                        .addDeserializer(Instant.class, new InstantReader()))
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE).build();
    }

    /**
     * What a person writes says what it is: {@code "2"} is no number, 2.5 no whole one, 500 no text. A name that is
     * unknown is misspelt.
     */
    private static JsonMapper strict(JsonMapper mapper) {
        return mapper.rebuild().addHandler(new RefusingUnknown()).disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .withCoercionConfig(LogicalType.Textual,
                        to -> Stream
                                .of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                                .forEach(from -> to.setCoercion(from, CoercionAction.Fail)))
                .build();
    }

    private Json() {}

    /** The mapper itself, for trees and streaming. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** The names of the fields of a record in JSON, in the order of the record. */
    public static Stream<String> fields(Class<?> record) {
        return Arrays.stream(record.getRecordComponents()).map(component -> {
            JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
            return given == null || given.value().isEmpty() ? component.getName() : given.value();
        });
    }

    /** The rule that a name which is none of the fields breaks, with the nearest of them. */
    public static String fieldRule(String name, Class<?> record) {
        return "one of the fields " + fields(record).sorted().collect(Collectors.joining(", "))
                + NearestName.hint(name, fields(record));
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
     * A digest of a value in 64 hexadecimal digits, which is the same in every process: the keys of maps are sorted.
     */
    public static String digest(Object value) {
        try {
            return Sha256.hex(MAPPER.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).writeValueAsBytes(value));
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
     * The same for what a caller sends: at most {@value #MOST_LEVELS} levels and {@value #MOST_VALUES} names, values
     * and brackets, so that a small text does not take much memory. An unknown field is refused, since the caller's
     * value would silently be lost.
     */
    public static <T> T readBounded(byte[] json, Class<T> type) {
        return read(BOUNDED, json, type);
    }

    /**
     * What is wrong with a part of what a caller sends, with the path in it, as {@code .name} or {@code [3]}; empty if
     * it can be read as that type.
     */
    public static Optional<Fault> fault(JsonNode part, JavaType type) {
        byte[] json = bytes(Map.of(PART, part));
        try (JsonParser in = BOUNDED.createParser(json)) {
            return fault(in, json,
                    BOUNDED.getTypeFactory().constructMapType(Map.class, BOUNDED.constructType(String.class), type));
        } catch (IOException e) {
            throw new IllegalStateException("cannot be read as JSON", e);
        }
    }

    private static Optional<Fault> fault(JsonParser in, byte[] json, JavaType type) {
        try {
            BOUNDED.readValue(in, type);
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            Fault fault = DecodingFault.of(e, json, in);
            return Optional.of(fault.of(fault.field().replaceFirst("^" + PART, "")));
        }
    }

    private static <T> T read(JsonMapper mapper, byte @Nullable [] json, Class<T> type) {
        if (json == null) {
            throw new MalformedRecordException("has no value");
        }
        try (JsonParser in = mapper.createParser(json)) {
            return read(mapper, in, json, type);
        } catch (IOException e) {
            throw new MalformedRecordException(new Fault("", "its first bytes", "JSON in UTF-8"));
        }
    }

    private static <T> T read(JsonMapper mapper, JsonParser in, byte[] json, Class<T> type) {
        try {
            T value = mapper.readValue(in, type);
            if (value == null || !type.isInstance(value)) {
                throw new MalformedRecordException(new Fault("", "null", DecodingFault.rule(type, "null")));
            }
            if (in.nextToken() != null) {
                throw new MalformedRecordException(DecodingFault.trailing(in));
            }
            return value;
        } catch (MalformedRecordException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The mapper does not wrap every exception of a constructor or of a number out of range.
            throw new MalformedRecordException(DecodingFault.of(e, json, in));
        }
    }

    private static final class RefusingUnknown extends DeserializationProblemHandler {
        @Override
        public boolean handleUnknownProperty(DeserializationContext context, JsonParser in, JsonDeserializer<?> reader,
                Object beanOrClass, String name) {
            throw DecodingFault.unknown(name, in,
                    beanOrClass instanceof Class<?> record ? record : beanOrClass.getClass());
        }
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
            if (!in.currentToken().isScalarValue()) {
                throw new InvalidValueException(String.valueOf(in.currentName()), "{...}", Durations.RULE);
            }
            Duration duration = Durations.parse(String.valueOf(in.currentName()), in.getText());
            if (duration.compareTo(LONGEST) > 0) {
                throw new InvalidValueException(String.valueOf(in.currentName()), in.getText(), "at most 100 years");
            }
            return duration;
        }
    }

    /**
     * Always with three digits of fraction: readers guess a column's type by its first values, and texts sort like
     * times.
     */
    private static final class InstantWriter extends StdScalarSerializer<Instant> {
        InstantWriter() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(TimestampFormat.format(value));
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
