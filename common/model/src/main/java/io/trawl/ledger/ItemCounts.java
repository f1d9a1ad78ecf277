package io.trawl.ledger;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What became of items of one run. In the ledger: in one transaction, of an analyzer that wrote items or of a pipeline
 * that handled them. An analyzer's record comes before those of the pipelines that read its items, so over any prefix
 * of the ledger {@code written = stored + dropped + rejected + waiting}.
 *
 * @param written items that were written to the topic
 * @param stored items that are in files for good
 * @param dropped items that a processor dropped, by processor and reason: {@code min-words: too short}
 * @param rejected items that could not be stored, by processor and kind of failure:
 * {@code min-words: IllegalStateException}
 * @param errors errors of parsers, extraction rules and item processors by kind, {@code PARSE}, {@code EXTRACT} and
 * {@code PROCESSOR}: an item may be stored in spite of them; and entries of sitemaps that were left out without one,
 * {@value #ENTRY}
 * @param sinks items that are stored, by each sink that has them; empty for crawls that name no sinks
 * @param skipped items that a sink would have, by each sink that is given up or refuses them for good
 * @param chunks of stored items, by each sink that has them: a sink of chunks has no items
 * @param fields values of the wrong type that were left out of their items, by field of the definition
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ItemCounts(@JsonInclude(JsonInclude.Include.NON_DEFAULT) long written,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long stored, Map<String, Long> dropped,
        Map<String, Long> rejected, Map<String, Long> errors, Map<String, Long> sinks, Map<String, Long> skipped,
        Map<String, Long> chunks, Map<String, Long> fields) {
    /** How the kind begins of a value of the wrong type that was left out of its item; the field follows. */
    public static final String FIELD = "FIELD ";
    /** The kind in {@code errors} of a damaged entry of a sitemap or feed. */
    public static final String ENTRY = "ENTRY";
    /** No items. */
    public static final ItemCounts NONE = new ItemCounts(0, 0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
    /** One stored item. */
    public static final ItemCounts STORED = new ItemCounts(0, 1, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
    /** Plug-ins write the reasons. Beyond this number, all others are one. */
    private static final int MOST_REASONS = 100;
    private static final String OTHER = "OTHER";
    private static final int LONGEST = 100;

    /**
     * Absent maps are empty.
     *
     * @throws io.trawl.model.InvalidValueException if a number is negative
     */
    public ItemCounts {
        FieldRules.count("items.written", written);
        FieldRules.count("items.stored", stored);
        dropped = dropped == null ? Map.of() : Map.copyOf(dropped);
        rejected = rejected == null ? Map.of() : Map.copyOf(rejected);
        errors = errors == null ? Map.of() : Map.copyOf(errors);
        sinks = sinks == null ? Map.of() : Map.copyOf(sinks);
        skipped = skipped == null ? Map.of() : Map.copyOf(skipped);
        chunks = chunks == null ? Map.of() : Map.copyOf(chunks);
        fields = fields == null ? Map.of() : Map.copyOf(fields);
        FieldRules.counts("items.dropped", dropped.values());
        FieldRules.counts("items.rejected", rejected.values());
        FieldRules.counts("items.errors", errors.values());
        FieldRules.counts("items.sinks", sinks.values());
        FieldRules.counts("items.skipped", skipped.values());
        FieldRules.counts("items.chunks", chunks.values());
        FieldRules.counts("items.fields", fields.values());
    }

    /** Counts without chunks, and without fields. */
    public ItemCounts(long written, long stored, Map<String, Long> dropped, Map<String, Long> rejected,
            Map<String, Long> errors, Map<String, Long> sinks, Map<String, Long> skipped) {
        this(written, stored, dropped, rejected, errors, sinks, skipped, Map.of(), Map.of());
    }

    /** Items that were written. @param found by kind, what is wrong with pages that have a result */
    public static ItemCounts written(long items, Map<String, Long> found) {
        Map<String, Long> errors = new TreeMap<>();
        Map<String, Long> fields = new TreeMap<>();
        found.forEach((kind, n) -> {
            boolean field = kind.startsWith(FIELD);
            (field ? fields : errors).put(field ? kind.substring(FIELD.length()) : kind, n);
        });
        return new ItemCounts(items, 0, Map.of(), Map.of(), errors, Map.of(), Map.of(), Map.of(), fields);
    }

    /**
     * A stored item.
     *
     * @param sinks the names of those that have it
     * @param skipped of those that are given up
     * @param chunks of the item, by the names of the sinks that have them
     */
    public static ItemCounts stored(List<String> sinks, List<String> skipped, Map<String, Long> chunks) {
        return sinks.isEmpty() && skipped.isEmpty() && chunks.isEmpty()
                ? STORED
                : new ItemCounts(0, 1, Map.of(), Map.of(), Map.of(), once(sinks), once(skipped), chunks, Map.of());
    }

    private static Map<String, Long> once(List<String> names) {
        return names.stream().collect(Collectors.toMap(name -> name, name -> 1L));
    }

    /** An item that a processor dropped. */
    public static ItemCounts dropped(String processor, String reason) {
        return new ItemCounts(0, 0, Map.of(key(processor, reason), 1L), Map.of(), Map.of(), Map.of(), Map.of());
    }

    /** An item that a processor failed on, so that it is not stored. */
    public static ItemCounts rejected(String processor, String kind) {
        return new ItemCounts(0, 0, Map.of(), Map.of(key(processor, kind), 1L), Map.of(), Map.of(), Map.of());
    }

    /** An error beside the items. */
    public static ItemCounts error(String kind) {
        return new ItemCounts(0, 0, Map.of(), Map.of(), Map.of(kind, 1L), Map.of(), Map.of());
    }

    private static String key(String processor, String reason) {
        String key = processor + ": " + reason;
        return key.substring(0, Math.min(key.length(), LONGEST));
    }

    /** The sum of both. With more than a hundred reasons, new ones count as {@code OTHER}. */
    public ItemCounts plus(ItemCounts more) {
        return new ItemCounts(written + more.written, stored + more.stored, sum(dropped, more.dropped),
                sum(rejected, more.rejected), sum(errors, more.errors), sum(sinks, more.sinks),
                sum(skipped, more.skipped), sum(chunks, more.chunks), sum(fields, more.fields));
    }

    private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
        if (other.isEmpty()) {
            return one;
        }
        Map<String, Long> sum = new TreeMap<>(one);
        new TreeMap<>(other).forEach(
                (key, n) -> sum.merge(sum.containsKey(key) || sum.size() < MOST_REASONS ? key : OTHER, n, Long::sum));
        return sum;
    }

    /**
     * The same without one of the items that a sink has, or without its chunks: it refuses the item for good.
     *
     * @param given how many items or chunks the sink got of it
     */
    public ItemCounts refusedBy(String sink, long given) {
        return new ItemCounts(written, stored, dropped, rejected, errors, fewer(sinks, sink, given),
                sum(skipped, Map.of(sink, 1L)), fewer(chunks, sink, given), fields);
    }

    private static Map<String, Long> fewer(Map<String, Long> counts, String name, long less) {
        Map<String, Long> fewer = new TreeMap<>(counts);
        fewer.computeIfPresent(name, (_, n) -> n <= less ? null : n - less);
        return fewer;
    }

    /** Items that a pipeline has handled for good: stored, dropped or rejected. */
    @JsonIgnore
    public long settled() {
        return stored + total(dropped) + total(rejected);
    }

    /** The sum of all reasons. */
    public static long total(Map<String, Long> byReason) {
        return byReason.values().stream().mapToLong(Long::longValue).sum();
    }
}
