package io.trawl.coordinator.text;

import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.model.ModuleKind;
import io.trawl.module.Deal;
import io.trawl.module.Registration;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldingFor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Live modules as a table and as one line, with the missing kinds. Pure functions. */
public final class ModulesText {

    private ModulesText() {}

    /** The table. */
    public static List<String> of(List<Registration> modules, List<MissingKind> missing, Instant now, Screen screen) {
        Table table = new Table(Column.words("MID"), Column.words("KIND"), Column.text("STATE"),
                Column.numbers("SCORE"), Column.numbers("HANDLING"), Column.numbers("CALLED"),
                Column.numbers("ACCEPTED"), Column.numbers("COMPLETED"), Column.numbers("FAILED"),
                Column.numbers("UNREAD"), Column.words("STOP SIGNS, MOVES"), Column.numbers("UP"));
        modules.forEach(module -> table.row(Cell.of(module.mid().toString()), Cell.of(module.mid().kind().word()),
                Cell.of(module.state().text(), fine(module.state()) ? Style.PLAIN : Style.WARNING),
                Cell.of(Figures.count(module.score())), Cell.of(Figures.count(module.counts().handling())),
                Cell.of(Figures.count(module.counts().called())), Cell.of(Figures.count(module.counts().accepted())),
                Cell.of(Figures.count(module.counts().completed())), Cell.of(failed(module)),
                Cell.of(module.waiting().map(Figures::count).orElse("")), Cell.of(signs(module)),
                Cell.of(Figures.time(age(module.since(), now)))));
        List<String> lines = new ArrayList<>(table.lines(screen));
        lines.addAll(missing(missing, screen));
        return lines;
    }

    /** The number of modules of each kind, and below it the missing kinds. */
    static List<String> inShort(List<Registration> modules, List<MissingKind> missing, Screen screen) {
        if (modules.isEmpty() && missing.isEmpty()) {
            // Even the coordinator that answers is not registered: none can be now, and a note says why.
            return List.of("modules: not known");
        }
        List<String> lines = new ArrayList<>();
        lines.add(Arrays.stream(ModuleKind.values()).map(kind -> Figures.count(count(modules, kind), kind.word()))
                .collect(Collectors.joining(", ", "modules: ", "")));
        lines.addAll(missing(missing, screen));
        Map<ModuleKind, Map<String, Long>> held = modules.stream().filter(module -> !fine(module.state()))
                .collect(Collectors.groupingBy(module -> module.mid().kind(), TreeMap::new,
                        Collectors.groupingBy(module -> module.state().text(), TreeMap::new, Collectors.counting())));
        held.forEach((kind, states) -> states.forEach((state, count) -> lines
                .add(screen.paint(Style.WARNING, "  " + Figures.count(count, kind.word()) + " " + state))));
        return lines;
    }

    /**
     * The stop signs and orders to move that it has dealt with, and those that it has not yet, as
     * {@code crawl docs, moves of docs, fleet (2 in flight)}.
     */
    private static String signs(Registration module) {
        Set<String> draining = module.draining().stream().map(Deal::sign).collect(Collectors.toSet());
        return Stream.concat(
                module.deals().keySet().stream().filter(key -> !draining.contains(key)).sorted()
                        .map(key -> StopSignText.inColumn(key, module.mid())),
                module.draining().stream().map(deal -> StopSignText.inColumn(deal.sign(), module.mid()) + " ("
                        + deal.inFlight() + " in flight)"))
                .collect(Collectors.joining(", "));
    }

    private static String failed(Registration module) {
        long failed = module.counts().failed();
        return failed == 0 ? "0" : Figures.count(failed, switch (module.mid().kind()) {
            case DOWNLOADER -> "unanswered request";
            case ANALYZER -> "unparsed page";
            case PIPELINE -> "rejected item";
            case COORDINATOR -> "seed";
        });
    }

    private static boolean fine(StageState state) {
        return state.ready() && !(state instanceof HoldingFor);
    }

    private static List<String> missing(List<MissingKind> missing, Screen screen) {
        return missing.stream().map(kind -> screen.paint(Style.BAD, kind.text())).toList();
    }

    private static long count(List<Registration> modules, ModuleKind kind) {
        return modules.stream().filter(module -> module.mid().kind() == kind).count();
    }

    /** Never negative, although clocks may differ. */
    private static Duration age(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
