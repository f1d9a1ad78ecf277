package io.trawl.pipeline.format;

import io.trawl.api.Item;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/**
 * A column of the files of a sink whose columns have types.
 *
 * @param name of the field that it holds; {@link #OTHER}: what no other column holds
 */
public record ItemColumn(String name, ColumnType type) {
    /** The column with the fields of an item that have no column, or not the type of theirs, as a JSON object. */
    public static final String OTHER = "other";

    /** What the cells of a column are; each may be empty. */
    public enum ColumnType {
        /** A text; what is none is its JSON. */
        TEXT,
        /** An integer of 64 bits. */
        INTEGER,
        /** A floating point number of 64 bits. */
        NUMBER,
        /** True or false. */
        FLAG,
        /** A moment, in milliseconds since 1970. */
        TIME,
        /** A list of texts. */
        TEXTS,
        /** Any value, as JSON. */
        JSON
    }

    /**
     * The cell of an item: a {@link String}, {@link Long}, {@link Double}, {@link Boolean} or list of strings; empty if
     * the field is absent or has not the type.
     *
     * @throws IllegalArgumentException if JSON cannot express the value
     */
    Optional<Object> cell(Item item) {
        return ItemLine.value(item, name).flatMap(this::cell);
    }

    private Optional<Object> cell(Object value) {
        return switch (type) {
            case TEXT -> Optional.of(value instanceof String ? value : ItemLine.json(value));
            case INTEGER -> value instanceof Number number && number.doubleValue() == number.longValue()
                    ? Optional.of(number.longValue())
                    : Optional.empty();
            case NUMBER -> value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
            case FLAG -> value instanceof Boolean ? Optional.of(value) : Optional.empty();
            case TIME -> value instanceof String text ? time(text) : Optional.empty();
            case TEXTS -> value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)
                    ? Optional.of(value)
                    : Optional.empty();
            case JSON -> Optional.of(ItemLine.json(value));
        };
    }

    private static Optional<Object> time(String text) {
        try {
            return Optional.of(Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
