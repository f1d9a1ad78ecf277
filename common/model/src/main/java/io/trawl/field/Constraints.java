package io.trawl.field;

import io.trawl.model.Durations;
import io.trawl.model.InvalidValueException.Fault;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the annotations of one field demand of its values. Immutable and thread-safe.
 *
 * @param range of numbers and durations
 * @param oneOf the choices
 * @param form of texts
 * @param size of a list; the others are of its elements
 */
public record Constraints(Optional<Range> range, Optional<OneOf> oneOf, Optional<Form> form, Optional<Size> size) {
    /** Stands for a secret. */
    public static final String HIDDEN = "(hidden)";

    /** Those of an accessor or a component. */
    public static Constraints of(AnnotatedElement field) {
        return new Constraints(Optional.ofNullable(field.getAnnotation(Range.class)),
                Optional.ofNullable(field.getAnnotation(OneOf.class)),
                Optional.ofNullable(field.getAnnotation(Form.class)),
                Optional.ofNullable(field.getAnnotation(Size.class)));
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return range.isEmpty() && oneOf.isEmpty() && form.isEmpty() && size.isEmpty();
    }

    /**
     * The fault of a value, if it breaks a rule.
     *
     * @param field its name for the user
     * @param value a number, a duration or a text; no list
     */
    public Stream<Fault> faults(String field, Object value) {
        return broken(value).map(rule -> new Fault(field, shown(value), rule)).stream();
    }

    private Optional<String> broken(Object value) {
        return range.filter(limits -> !within(limits, value)).map(Constraints::text)
                .or(() -> oneOf.filter(choices -> !Arrays.asList(choices.value()).contains(value))
                        .map(choices -> String.join(", ", choices.value())))
                .or(() -> form.filter(text -> !((String) value).matches(text.regexp())).map(Form::rule));
    }

    private String shown(Object value) {
        return form.filter(Form::secret).isPresent()
                ? HIDDEN
                : value instanceof Duration duration ? Durations.format(duration) : value.toString();
    }

    /** A range in words. */
    public static String text(Range range) {
        String min = range.min() + (range.lowest().isEmpty() ? "" : " (" + range.lowest() + ")");
        return range.max().isEmpty() ? "at least " + min : min + " to " + range.max();
    }

    private static boolean within(Range range, Object value) {
        return switch (value) {
            case Duration duration -> duration.compareTo(duration(range.min())) >= 0
                    && (range.max().isEmpty() || duration.compareTo(duration(range.max())) <= 0);
            case Double number -> number >= Double.parseDouble(range.min())
                    && (range.max().isEmpty() || number <= Double.parseDouble(range.max()));
            default -> ((Number) value).longValue() >= Long.parseLong(range.min())
                    && (range.max().isEmpty() || ((Number) value).longValue() <= Long.parseLong(range.max()));
        };
    }

    private static Duration duration(String text) {
        return Durations.parse("range", text);
    }
}
