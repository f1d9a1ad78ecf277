package io.trawl.model;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user's mistake in one field, with the field, the value and the rule. Its message is shown to users as it is,
 * without a stack trace.
 */
public final class InvalidValueException extends IllegalArgumentException {
    private final String field;
    private final String value;
    private final String rule;

    /**
     * @param field the field's name for the user: an option, a JSON name, an environment variable
     * @param value the given value, truncated to 200 characters in the message
     * @param rule a valid value, in words
     */
    public InvalidValueException(String field, String value, String rule) {
        super(new Fault(field, value, rule).text());
        this.field = field;
        this.value = value;
        this.rule = rule;
    }

    @Override
    public String getMessage() { return requireNonNull(super.getMessage()); }

    /** The field's name for the user. */
    public String field() {
        return field;
    }

    /** The given value. */
    public String value() {
        return value;
    }

    /** The rule for valid values. */
    public String rule() {
        return rule;
    }

    /** What is wrong, as data. */
    public Fault fault() {
        return new Fault(field, value, rule);
    }

    /**
     * One thing that is wrong with what a user sent.
     *
     * @param field as the user knows it: {@code seeds[3].priority}
     * @param value as it was given, cut to 200 characters
     * @param rule what would have been right
     * @param line where it was written, from 1; empty if that is not known
     * @param column where it was written, from 1; empty if that is not known
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Fault(@JsonInclude String field, @JsonInclude String value, @JsonInclude String rule,
            Optional<Integer> line, Optional<Integer> column) {
        private static final int LONGEST = 200;

        /** Cuts the value. */
        public Fault {
            value = value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value;
        }

        /** A fault of a field that was written nowhere. */
        public Fault(String field, String value, String rule) {
            this(field, value, rule, Optional.empty(), Optional.empty());
        }

        /** The same fault of a field of another name. */
        public Fault of(String name) {
            return new Fault(name, value, rule, line, column);
        }

        /** The same fault with its place in a text. */
        public Fault at(int writtenLine, int writtenColumn) {
            return new Fault(field, value, rule, Optional.of(writtenLine), Optional.of(writtenColumn));
        }

        /** One line for users, that begins with the place if it is known: {@code 3:5: limits.depth: ...}. */
        public String placed() {
            return line.flatMap(l -> column.map(c -> l + ":" + c + ": ")).orElse("") + text();
        }

        /** One line for users. */
        public String text() {
            return (field.isEmpty() ? "" : field + ": ") + "'" + value + "' is not valid: " + rule;
        }
    }

    /**
     * The rules of fields that the constructors of records check, so that a decoded record is in its ranges whichever
     * program wrote it. Each throws an {@link InvalidValueException} that names the field, the value and the rule.
     * Pure.
     */
    public static final class FieldRules {
        private FieldRules() {}

        /** The field must be there: a decoder passes null for a field that its record lacks. */
        public static void present(String field, @Nullable Object value) {
            if (value == null) {
                throw new InvalidValueException(field, "", "it is required");
            }
        }

        /** The number must be within these limits, both included. */
        public static void range(String field, long value, long least, long most) {
            if (value < least || value > most) {
                throw new InvalidValueException(field, Long.toString(value), least + " to " + most);
            }
        }

        /** The number must not be negative, and one more must still be a number. */
        public static void count(String field, long value) {
            range(field, value, 0, Long.MAX_VALUE - 1);
        }

        /** All numbers must be counts. */
        public static void counts(String field, Collection<? extends Number> values) {
            values.forEach(value -> count(field, value.longValue()));
        }
    }
}
