package io.trawl.coordinator.text;

import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.coordinator.view.HostCalls.HostList;
import io.trawl.direct.FrontierView.Silence;
import io.trawl.direct.HostListing.HostRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hosts as a table. Their names come from the web and are untrusted. Pure functions. */
public final class HostsText {
    /** An exchange that takes longer says so. */
    private static final Duration LONG = Duration.ofSeconds(2);

    private HostsText() {}

    /** The table, below it how many hosts are not listed and whose are missing; a message if there are none. */
    public static List<String> of(HostList hosts, Screen screen) {
        Table table = new Table(Column.text("HOST"), Column.numbers("WAITING"), Column.numbers("DONE"),
                Column.numbers("ERRORS"), Column.numbers("PAUSE"), Column.words("NEXT"), Column.words("ROBOTS"),
                Column.words("MID"), Column.words("FAILED"));
        hosts.hosts().forEach(host -> table.row(Cell.of(host.host().value()), Cell.of(Figures.count(host.waiting())),
                Cell.of(Figures.count(host.answered())),
                Cell.of(Figures.count(host.errors()), host.errors() > 0 ? Style.WARNING : Style.PLAIN),
                Cell.of(time(host.pause())), Cell.of(next(host), host.silence().isPresent() ? Style.BAD : Style.PLAIN),
                Cell.of(Figures.word(host.robots())), Cell.of(host.mid().toString(), Style.DIM),
                Cell.of(host.silence().map(HostsText::failed).orElse(""), Style.WARNING)));
        List<String> lines = new ArrayList<>(table.empty() ? List.of("no hosts") : table.lines(screen));
        long rest = hosts.matching() - hosts.hosts().size();
        if (rest > 0 && !table.empty()) {
            lines.add("and " + Figures.count(rest, "host") + " more");
        }
        hosts.silent().forEach(
                silent -> lines.add(screen.paint(Style.WARNING, TerminalText.safe("no answer from " + silent))));
        return lines;
    }

    private static String failed(Silence silence) {
        return silence.failures() == 1 ? silence.last() : silence.failures() + " in a row, the last: " + silence.last();
    }

    private static String next(HostRow host) {
        if (host.silence().filter(Silence::givenUp).isPresent()) {
            return "given up";
        }
        if (host.inFlight() > 0) {
            return "now" + host.inFlightFor().filter(time -> time.compareTo(LONG) > 0)
                    .map(time -> ", for " + Figures.time(time)).orElse("");
        }
        return host.waiting() == 0 ? Figures.UNKNOWN : host.nextIn().map(in -> "in " + Figures.time(in)).orElse("now");
    }

    private static String time(Optional<Duration> duration) {
        return duration.map(Figures::time).orElse(Figures.UNKNOWN);
    }
}
