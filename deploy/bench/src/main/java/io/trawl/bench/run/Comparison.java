package io.trawl.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.model.InvalidValueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of two runs of one benchmark, side by side. Rows are matched by their texts, such as kind and process;
 * single runs are left out where there are medians. Immutable.
 */
public final class Comparison {
    private static final String RUN = "run";
    private static final String MEDIAN = "median";
    /** A figure with this in its name is a cost: less is better, and it varies little. */
    private static final String COST = "CPU s per";
    private static final double PERCENT = 100;
    private final List<Pair> pairs;

    private record Pair(String row, String figure, double before, double after) {
        double grown() {
            return before == 0 ? 0 : (after / before - 1) * PERCENT;
        }
    }

    private Comparison(List<Pair> pairs) {
        this.pairs = List.copyOf(pairs);
    }

    /**
     * Compares the JSON of two results.
     *
     * @throws InvalidValueException if they are of different benchmarks or settings
     */
    public static Comparison of(JsonNode before, JsonNode after) {
        for (String same : List.of("benchmark", "settings")) {
            if (!before.path(same).equals(after.path(same))) {
                throw new InvalidValueException(same, after.path(same).toString(),
                        "that of the older file, " + before.path(same));
            }
        }
        Map<String, JsonNode> older = rows(before);
        List<Pair> pairs = new ArrayList<>();
        rows(after).forEach((name, row) -> {
            JsonNode old = older.get(name);
            if (old != null) {
                row.properties().stream()
                        .filter(figure -> figure.getValue().isNumber() && old.path(figure.getKey()).isNumber())
                        .forEach(figure -> pairs.add(new Pair(name, figure.getKey(),
                                old.path(figure.getKey()).asDouble(), figure.getValue().asDouble())));
            }
        });
        return new Comparison(pairs);
    }

    private static Map<String, JsonNode> rows(JsonNode results) {
        boolean medians = results.path("rows").valueStream().anyMatch(Comparison::isMedian);
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        results.path("rows").valueStream().filter(row -> !medians || isMedian(row))
                .forEach(row -> rows.put(row.properties().stream()
                        .filter(cell -> cell.getValue().isTextual() && !cell.getValue().asText().isEmpty())
                        .map(cell -> cell.getValue().asText()).collect(Collectors.joining(", ")), row));
        return rows;
    }

    private static boolean isMedian(JsonNode row) {
        return row.path(RUN).asText().equals(MEDIAN);
    }

    /** A Markdown table. */
    public List<String> table() {
        List<String> lines = new ArrayList<>(
                List.of("| row | figure | before | after | change |", "|---|---|---|---|---|"));
        pairs.forEach(pair -> lines.add(String.format(Locale.ROOT, "| %s | %s | %.2f | %.2f | %+.1f %% |", pair.row(),
                pair.figure(), pair.before(), pair.after(), pair.grown())));
        return lines;
    }

    /** A line for each cost that has grown by more than so many percent. */
    public List<String> grown(double allowed) {
        return pairs.stream().filter(pair -> pair.figure().contains(COST) && pair.grown() > allowed)
                .map(pair -> String.format(Locale.ROOT, "%s: %s has grown by %.1f %%, from %.2f to %.2f", pair.row(),
                        pair.figure(), pair.grown(), pair.before(), pair.after()))
                .toList();
    }
}
