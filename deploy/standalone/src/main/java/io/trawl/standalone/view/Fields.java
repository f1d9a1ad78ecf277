package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValue;
import io.trawl.standalone.report.Figures;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads what may or may not be in an answer: coordinators of other versions say more or less. Pure. */
public final class Fields {
    /** What stands where nothing is known. */
    public static final String UNKNOWN = "–";

    private Fields() {}

    /** A text, if it is there. */
    public static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).filter(n -> !n.isNull()).map(JsonNode::asText);
    }

    /** A whole number, if it is there. */
    public static Optional<Long> number(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).filter(JsonNode::isNumber).map(JsonNode::asLong);
    }

    /** A whole number for people, {@value #UNKNOWN} if it is not there. */
    public static String count(JsonNode node, String field) {
        return number(node, field).map(Figures::count).orElse(UNKNOWN);
    }

    /** Something per second, for people. */
    public static String rate(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).filter(JsonNode::isNumber).map(JsonNode::asDouble).map(Figures::perSecond)
                .orElse(UNKNOWN);
    }

    /** A duration, {@code 500ms} or ISO 8601; empty if it is not there or is none. */
    public static Optional<Duration> duration(JsonNode node, String field) {
        return text(node, field).flatMap(Fields::duration);
    }

    private static Optional<Duration> duration(String text) {
        try {
            return Optional.of(text.startsWith("P") ? Duration.parse(text) : Durations.parse("duration", text));
        } catch (DateTimeException | InvalidValue e) {
            return Optional.empty();
        }
    }

    /** A moment; empty if it is not there or is none. */
    public static Optional<Instant> instant(JsonNode node, String field) {
        try {
            return text(node, field).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A moment for people, to the second; {@value #UNKNOWN} if it is not there. */
    public static String time(JsonNode node, String field) {
        return instant(node, field).map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString()).orElse(UNKNOWN);
    }

    /** Numbers by name, in the order of the answer. */
    public static Map<String, Long> counts(JsonNode node) {
        Map<String, Long> counts = new LinkedHashMap<>();
        node.properties().forEach(field -> counts.put(field.getKey(), field.getValue().asLong()));
        return counts;
    }
}
