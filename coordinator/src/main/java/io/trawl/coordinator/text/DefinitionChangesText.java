package io.trawl.coordinator.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionChanges.DueChange;
import io.trawl.coordinator.definition.DefinitionChanges.WaitingRefusals;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a definition would change in a crawl, as a table. Pure. */
public final class DefinitionChangesText {
    private DefinitionChangesText() {}

    /** The fields that change, with their values before and after. */
    public static List<String> of(DefinitionChanges changes, Screen screen) {
        String crawl = "crawl " + changes.crawl();
        if (changes.exists() && changes.changes().isEmpty()) {
            return List.of(crawl + " has this definition already");
        }
        List<String> lines = new ArrayList<>();
        lines.add(changes.exists() ? crawl + " would change:" : crawl + " would be new, with:");
        Table table = new Table(Column.words("FIELD"), Column.text(changes.exists() ? "NOW" : "DEFAULT"),
                Column.text("THEN"), Column.words(""));
        changes.changes().forEach(change -> table.row(Cell.of(change.field()), value(change.before()),
                value(change.after()), change.newRun() ? Cell.of("needs a new run", Style.WARNING) : Cell.of("")));
        lines.addAll(table.lines(screen));
        if (changes.newRun()) {
            lines.add(
                    "seeds, domains, depth and identity rules identify a run: only a fresh run takes others, with an empty ledger");
        }
        changes.waiting().filter(waiting -> waiting.waiting() > 0).map(DefinitionChangesText::refusals)
                .ifPresent(lines::add);
        changes.due().map(DefinitionChangesText::due).ifPresent(lines::add);
        lines.addAll(changes.notes());
        return lines;
    }

    private static String refusals(WaitingRefusals of) {
        String looked = of.lookedAt() < of.waiting()
                ? Figures.count(of.lookedAt()) + " waiting requests that were looked at, of "
                        + Figures.count(of.waiting()) + ","
                : Figures.count(of.waiting(), "waiting request");
        return Figures.count(of.refused()) + " of " + looked + " would be refused"
                + (of.byRule().isEmpty() ? "" : ": " + Figures.largestFirst(of.byRule()));
    }

    private static String due(DueChange of) {
        return Figures.count(of.before()) + " of " + Figures.count(of.pages(), "page")
                + " are due for a visit now; by these rules it would be " + Figures.count(of.after());
    }

    private static Cell value(Optional<JsonNode> value) {
        return Cell.of(value.map(v -> v.isTextual() ? v.asText() : v.toString()).orElse("–"));
    }
}
