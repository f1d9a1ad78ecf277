package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.github.difflib.text.DiffRow;
import com.github.difflib.text.DiffRowGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What differs between two lines of an item, field by field. Pure. */
final class ItemDifference {
    /** What differs in every run. */
    private static final Set<String> OF_THE_RUN = Set.of("id", "epoch", "fetchedAt", "responseTime", "attempts", "mid",
            "render");
    private static final Set<String> TEXTS = Set.of("text", "markdown");
    private static final DiffRowGenerator WORDS = DiffRowGenerator.create().showInlineDiffs(true).inlineDiffByWord(true)
            .mergeOriginalRevised(true).lineNormalizer(line -> line).oldTag(opens -> opens ? "[-" : "-]")
            .newTag(opens -> opens ? "{+" : "+}").build();

    private ItemDifference() {}

    /** A field. @param before missing if the line had none @param now missing if the line has none */
    record FieldChange(JsonNode before, JsonNode now) {}

    /** The fields that differ, in the order of the lines. */
    static Map<String, FieldChange> of(JsonNode before, JsonNode now) {
        Map<String, FieldChange> changes = new LinkedHashMap<>();
        Stream.concat(names(now), names(before)).distinct().filter(name -> !OF_THE_RUN.contains(name))
                .filter(name -> !before.path(name).equals(now.path(name)))
                .forEach(name -> changes.put(name, new FieldChange(before.path(name), now.path(name))));
        return changes;
    }

    /**
     * A field as text: what it was behind a minus sign, what it is behind a plus sign; of lists the elements that
     * differ; of texts the lines that differ, with words that are no longer there as {@code [-so-]} and new ones as
     * {@code {+so+}}.
     */
    static List<String> lines(String name, FieldChange change) {
        List<String> lines = new ArrayList<>();
        if (TEXTS.contains(name)) {
            lines.add("  " + name + ":");
            WORDS.generateDiffRows(text(change.before()), text(change.now())).stream()
                    .filter(row -> row.getTag() != DiffRow.Tag.EQUAL)
                    .forEach(row -> lines.add("    " + row.getOldLine()));
        } else if (change.before().isArray() && change.now().isArray()) {
            elements(change.before(), change.now()).forEach(gone -> lines.add("- " + name + ": " + gone));
            elements(change.now(), change.before()).forEach(added -> lines.add("+ " + name + ": " + added));
        } else {
            value(change.before()).forEach(old -> lines.add("- " + name + ": " + old));
            value(change.now()).forEach(now -> lines.add("+ " + name + ": " + now));
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
