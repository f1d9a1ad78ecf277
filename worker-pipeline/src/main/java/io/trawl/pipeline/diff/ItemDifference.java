package io.trawl.pipeline.diff;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.github.difflib.text.DiffRow;
import com.github.difflib.text.DiffRowGenerator;
import io.trawl.codec.Json;
import io.trawl.pipeline.read.StoredContent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What differs between two lines of an item, field by field. Pure. */
public final class ItemDifference {
    /** What differs in every run, or says itself that something does. */
    private static final Set<String> OF_THE_RUN = Set.of("id", "epoch", "fetchedAt", "responseTime", "attempts", "mid",
            "render", "change", "visit", "changedFields", "previous");
    private static final Set<String> TEXTS = Set.of("text", "markdown");
    private static final DiffRowGenerator WORDS = DiffRowGenerator.create().showInlineDiffs(true).inlineDiffByWord(true)
            .mergeOriginalRevised(true).lineNormalizer(line -> line).oldTag(opens -> opens ? "[-" : "-]")
            .newTag(opens -> opens ? "{+" : "+}").build();

    private ItemDifference() {}

    /**
     * A field that differs.
     *
     * @param before empty if the line had none
     * @param now empty if the line has none
     * @param words of a text the lines that differ, with words that are no longer there as {@code [-so-]} and new ones
     * as {@code {+so+}}
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record FieldDifference(Optional<JsonNode> before, Optional<JsonNode> now, List<String> words) {}

    /**
     * An item of a page.
     *
     * @param name what a person knows it by: that of {@link StoredContent}
     * @param fields that differ, in the order of the lines; none if it has not changed
     */
    public record PageDifference(String url, String key, String name, Map<String, FieldDifference> fields) {
        /** As text: what it is, then a line or more for each field. */
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(url + (name.isEmpty() ? "" : ", " + name) + " (" + key + ")"
                    + (fields.isEmpty() ? ": no change" : ""));
            fields.forEach((name, change) -> lines.addAll(ItemDifference.lines(name, change)));
            return lines;
        }
    }

    /**
     * How the items of a page differ, by key.
     *
     * @throws MissingRunException if there are none
     */
    static List<PageDifference> of(String url, Map<String, JsonNode> before, Map<String, JsonNode> now)
            throws IOException {
        TreeSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(now.keySet());
        if (keys.isEmpty()) {
            throw new MissingRunException(url + " is in neither run: diff without a URL lists the URLs of changes");
        }
        List<PageDifference> items = new ArrayList<>();
        for (String key : keys) {
            items.add(of(url, key, before.getOrDefault(key, MissingNode.getInstance()),
                    now.getOrDefault(key, MissingNode.getInstance())));
        }
        return items;
    }

    private static PageDifference of(String url, String key, JsonNode before, JsonNode now) throws IOException {
        byte[] item = Json.bytes(now.isMissingNode() ? before : now);
        return new PageDifference(url, key, StoredContent.of(item).map(StoredContent::name).orElse(""),
                fields(before, now));
    }

    private static Map<String, FieldDifference> fields(JsonNode before, JsonNode now) {
        Map<String, FieldDifference> changes = new LinkedHashMap<>();
        Stream.concat(names(now), names(before)).distinct().filter(name -> !OF_THE_RUN.contains(name))
                .filter(name -> !before.path(name).equals(now.path(name)))
                .forEach(name -> changes.put(name, change(name, before.path(name), now.path(name))));
        return changes;
    }

    private static FieldDifference change(String name, JsonNode before, JsonNode now) {
        return new FieldDifference(Optional.of(before).filter(value -> !value.isMissingNode()),
                Optional.of(now).filter(value -> !value.isMissingNode()),
                TEXTS.contains(name) ? words(before, now) : List.of());
    }

    private static List<String> words(JsonNode before, JsonNode now) {
        return WORDS.generateDiffRows(text(before), text(now)).stream().filter(row -> row.getTag() != DiffRow.Tag.EQUAL)
                .map(DiffRow::getOldLine).toList();
    }

    /**
     * A field as text: what it was behind a minus sign, what it is behind a plus sign; of lists the elements that
     * differ; of texts the lines that differ, by words.
     */
    private static List<String> lines(String name, FieldDifference change) {
        List<String> lines = new ArrayList<>();
        JsonNode before = change.before().orElse(MissingNode.getInstance());
        JsonNode now = change.now().orElse(MissingNode.getInstance());
        if (TEXTS.contains(name)) {
            lines.add("  " + name + ":");
            change.words().forEach(line -> lines.add("    " + line));
        } else if (before.isArray() && now.isArray()) {
            elements(before, now).forEach(gone -> lines.add("- " + name + ": " + gone));
            elements(now, before).forEach(added -> lines.add("+ " + name + ": " + added));
        } else {
            value(before).forEach(old -> lines.add("- " + name + ": " + old));
            value(now).forEach(added -> lines.add("+ " + name + ": " + added));
        }
        return lines;
    }

    private static Stream<String> names(JsonNode line) {
        return line.properties().stream().map(Map.Entry::getKey);
    }

    private static List<String> text(JsonNode value) {
        return value.asText().lines().toList();
    }

    private static Stream<String> elements(JsonNode list, JsonNode without) {
        Set<JsonNode> others = Set.copyOf(StreamSupport.stream(without.spliterator(), false).distinct().toList());
        return StreamSupport.stream(list.spliterator(), false).filter(one -> !others.contains(one))
                .flatMap(ItemDifference::value);
    }

    private static Stream<String> value(JsonNode value) {
        return value instanceof MissingNode
                ? Stream.empty()
                : Stream.of(value.isTextual() ? value.asText() : value.toString());
    }
}
