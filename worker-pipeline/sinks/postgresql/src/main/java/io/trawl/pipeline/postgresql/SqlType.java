package io.trawl.pipeline.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Set;

/** The types of the columns that Trawl makes. */
enum SqlType {
    /** True and false. */
    BOOLEAN("boolean"),
    /** Whole numbers. */
    BIGINT("bigint"),
    /** Other numbers. */
    DOUBLE("double precision"),
    /** Times. */
    TIME("timestamp with time zone"),
    /** Lists and objects. */
    JSON("jsonb"),
    /** Everything: the form in which the type of any other column can be written. */
    TEXT("text"),
    /** A type that a user has chosen: PostgreSQL decides what fits. */
    OTHER("");

    /** The fields of pages that are times. */
    private static final Set<String> TIMES = Set.of("fetchedAt", "lastModified");
    private final String sql;

    SqlType(String sql) {
        this.sql = sql;
    }

    /** As PostgreSQL writes it. */
    String sql() {
        return sql;
    }

    /** The type that PostgreSQL names so. */
    static SqlType of(String sql) {
        return Arrays.stream(values()).filter(type -> type.sql.equals(sql)).findFirst().orElse(OTHER);
    }

    /** The type for a value of a field. */
    static SqlType of(String field, JsonNode value) {
        if (value.isTextual()) {
            return TIMES.contains(field) && isTime(value.asText()) ? TIME : TEXT;
        }
        if (value.isContainerNode()) {
            return JSON;
        }
        if (value.isBoolean()) {
            return BOOLEAN;
        }
        return value.canConvertToLong() && value.isIntegralNumber() ? BIGINT : value.isBigInteger() ? TEXT : DOUBLE;
    }

    private static boolean isTime(String text) {
        try {
            Instant.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** The narrowest type that has the values of both. */
    SqlType with(SqlType other) {
        if (this == other || this == OTHER) {
            return this;
        }
        return Set.of(BIGINT, DOUBLE).equals(Set.of(this, other)) ? DOUBLE : TEXT;
    }
}
