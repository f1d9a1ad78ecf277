package io.trawl.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonGenerator;
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
import io.trawl.model.Durations;
import io.trawl.model.InvalidValue;
import java.io.IOException;
import java.time.Duration;

/**
 * The one JSON mapper of Trawl: absent values are left out, times are ISO 8601, durations are {@code 500ms}, unknown fields are ignored, and so are
 * unknown words of those sets that say what stands for them. Thread-safe.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .addModule(new SimpleModule("durations").addSerializer(Duration.class, new DurationWriter())
                    .addDeserializer(Duration.class, new DurationReader()))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /** The mapper itself, for those who build trees or stream. */
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

    /** @throws MalformedRecord if the bytes are not JSON of that type; the message is fit for a user */
    public static <T> T read(byte[] json, Class<T> type) {
        try {
            T value = MAPPER.readValue(json, type);
            if (value == null) {
                throw new MalformedRecord("is null, not a JSON object");
            }
            return value;
        } catch (IOException e) {
            throw new MalformedRecord(explain(e));
        }
    }

    /** What was wrong with some JSON, on one line without class names. */
    static String explain(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidValue invalid) {
                return invalid.getMessage();
            }
        }
        String message = e instanceof JsonProcessingException json ? json.getOriginalMessage() : String.valueOf(e.getMessage());
        return message.lines().findFirst().orElse("not JSON").replaceAll("`?(?:[a-z]+\\.)+([A-Z][A-Za-z]*)`?", "$1");
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
        DurationReader() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Durations.parse(String.valueOf(in.currentName()), in.getText());
        }
    }
}
