package io.trawl.standalone.init;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A rule for items that is proposed.
 *
 * @param type the name of the type
 * @param why where it was seen, in words
 * @param match the pattern of its pages; empty: all
 * @param each the selector of its elements; empty: an item per page
 * @param fields in their order, each as YAML in flow style
 */
record ItemProposal(String type, String why, Optional<String> match, Optional<String> each,
        Map<String, String> fields) {
    ItemProposal {
        fields = new LinkedHashMap<>(fields);
    }

    /** A text in YAML: within single quotes every character but the quote stands for itself. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A field of a selector, with its other settings in YAML. */
    static String css(String selector, String more) {
        return "{css: " + quoted(selector) + more + "}";
    }

    /** The lines of the rule in the crawl file. */
    String yaml() {
        StringBuilder lines = new StringBuilder("    - type: " + type + "  # " + why + "\n");
        match.ifPresent(pattern -> lines.append("      match: ").append(quoted(pattern)).append('\n'));
        each.ifPresent(selector -> lines.append("      each: ").append(quoted(selector)).append('\n'));
        lines.append("      fields:\n");
        fields.forEach(
                (name, source) -> lines.append("        ").append(name).append(": ").append(source).append('\n'));
        return lines.toString();
    }
}
