package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.model.ModuleKind;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.print.Table;
import io.trawl.standalone.report.Figures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Live modules as a table and as one line, with the kinds of which there is none. Pure. */
final class ModulesText {
    private ModulesText() {}

    /** The table. */
    static List<String> of(JsonNode modules, Instant now, Screen screen) {
        Table table = new Table(Column.words("MID"), Column.words("KIND"), Column.text("STATE"), Column.numbers("SCORE"),
                Column.numbers("HANDLING"), Column.numbers("CALLED"), Column.numbers("COMPLETED"), Column.numbers("FAILED"),
                Column.numbers("UP"));
        modules.forEach(module -> {
            JsonNode counts = module.path("counts");
            String mid = module.path("mid").asText();
            table.row(Cell.of(mid), Cell.of(kind(mid)), state(module), Cell.of(Fields.count(module, "score")),
                    Cell.of(Fields.count(counts, "handling")), Cell.of(Fields.count(counts, "called")),
                    Cell.of(Fields.count(counts, "completed")), Cell.of(Fields.count(counts, "failed")),
                    Cell.of(Fields.instant(module, "since").map(since -> Figures.time(age(since, now))).orElse(Fields.UNKNOWN)));
        });
        List<String> lines = new ArrayList<>(table.lines(screen));
        lines.addAll(missing(modules, screen));
        return lines;
    }

    /** How many there are of each kind, and below it what is missing. */
    static List<String> inShort(JsonNode modules, Screen screen) {
        List<String> parts = new ArrayList<>();
        for (ModuleKind kind : ModuleKind.values()) {
            long count = count(modules, kind);
            parts.add(count + " " + kind.word() + (count == 1 ? "" : "s"));
        }
        List<String> lines = new ArrayList<>(List.of("modules: " + String.join(", ", parts)));
        lines.addAll(missing(modules, screen));
        return lines;
    }

    private static List<String> missing(JsonNode modules, Screen screen) {
        List<String> lines = new ArrayList<>();
        for (ModuleKind kind : ModuleKind.values()) {
            if (count(modules, kind) == 0) {
                lines.add(screen.paint(Style.BAD, "no " + kind.word() + " is running: " + switch (kind) {
                    case DOWNLOADER -> "nothing is fetched";
                    case ANALYZER -> "nothing that is fetched is analysed";
                    case PIPELINE -> "no page is stored";
                    case COORDINATOR -> "no crawl is driven";
                }));
            }
        }
        return lines;
    }

    private static long count(JsonNode modules, ModuleKind kind) {
        return modules.valueStream().filter(module -> module.path("mid").asText().startsWith(String.valueOf(kind.letter())))
                .count();
    }

    private static Cell state(JsonNode module) {
        String state = module.path("state").asText();
        boolean fine = state.equals("running") || state.equals("leading") || state.equals("standby");
        return Cell.of(state, fine ? Style.PLAIN : Style.WARNING);
    }

    /** The kind that a MID's letter says; the letter itself if this version knows no such kind. */
    private static String kind(String mid) {
        for (ModuleKind kind : ModuleKind.values()) {
            if (mid.startsWith(String.valueOf(kind.letter()))) {
                return kind.word();
            }
        }
        return mid.isEmpty() ? Fields.UNKNOWN : mid.substring(0, 1);
    }

    private static Duration age(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
