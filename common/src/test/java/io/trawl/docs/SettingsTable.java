package io.trawl.docs;

import static java.util.Objects.requireNonNull;

import io.trawl.field.Constraints;
import io.trawl.field.Range;
import io.trawl.settings.SettingsReader;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings as Markdown: names and defaults from {@link SettingsReader}, comments from the source of
 * {@code Settings}.
 */
final class SettingsTable {
    private static final Pattern COMMENTED = Pattern.compile(
            "/\\*\\*(?<comment>(?:(?!\\*/).)*)\\*/\\s*(?:@\\w+\\((?:\"(?:[^\"\\\\]|\\\\.)*\"|[^)\"])*\\)\\s*)*(?:interface (?<group>\\w+)|(?<type>[\\w.<>]+) (?<method>\\w+)\\(\\);)",
            Pattern.DOTALL);
    private final Map<String, Optional<String>> defaults = SettingsReader.properties();
    private final Map<String, String> prefixes = new HashMap<>();
    private final Map<String, String> headings = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String prefix = "trawl.";

    private SettingsTable() {}

    /** @param source of {@code Settings} */
    static String of(String source) {
        SettingsTable table = new SettingsTable();
        table.head("All processes", "");
        Matcher commented = COMMENTED.matcher(source);
        while (commented.find()) {
            table.add(commented);
        }
        if (!table.defaults.isEmpty()) {
            throw new IllegalArgumentException("settings without a comment: " + table.defaults.keySet());
        }
        return table.text.toString();
    }

    private void add(Matcher found) {
        String comment = markdown(found.group("comment"));
        if (found.group("group") != null) {
            prefix = requireNonNull(prefixes.get(found.group("group")));
            head(requireNonNull(headings.get(found.group("group"))), comment);
            return;
        }
        String name = prefix + found.group("method").replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        Optional<String> preset = defaults.remove(name);
        if (preset == null) { // an accessor of a group
            prefixes.put(found.group("type"), name + ".");
            headings.put(found.group("type"), comment.replaceFirst("\\.$", ""));
        } else {
            String range = SettingsReader.constraints(name).range().filter(SettingsTable::tells)
                    .map(limits -> " (" + Constraints.text(limits) + ")").orElse("");
            text.append("| `%s` | %s%s | %s |\n".formatted(SettingsReader.variable(name),
                    preset.map(v -> "`" + v + "`").orElse("–"), range, comment));
        }
    }

    /** Whether the largest value is more than what the arithmetic of the code can do. */
    private static boolean tells(Range range) {
        return range.max().length() < 16;
    }

    private void head(String title, String introduction) {
        text.append("\n### ").append(title).append("\n\n")
                .append(introduction.isEmpty() ? "" : wrapped(introduction) + "\n\n")
                .append("| variable | default | |\n|---|---|---|\n");
    }

    private static String wrapped(String text) {
        return text.replaceAll("(.{1,120})(?: |$)", "$1\n").strip();
    }

    private static String markdown(String comment) {
        return comment.replaceAll("\\s+\\*?\\s*", " ").strip().replaceAll("\\{@(?:code|link) ([^}]*)}", "`$1`")
                .replace("|", "\\|");
    }
}
