package io.trawl.coordinator.text;

import io.trawl.telemetry.RecentLog.LogLine;
import java.util.List;

/** Log lines of a process, the oldest first, as the process writes them. Pure functions. */
public final class LogText {
    private LogText() {}

    /** The lines; a message if there are none. */
    public static List<String> of(List<LogLine> log, Screen screen) {
        return log.isEmpty() ? List.of("no log lines") : log.stream().map(line -> line(line, screen)).toList();
    }

    private static String line(LogLine line, Screen screen) {
        String level = String.format(java.util.Locale.ROOT, "%-5s", line.level());
        Style style = switch (line.level()) {
            case "ERROR" -> Style.BAD;
            case "WARN" -> Style.WARNING;
            default -> Style.DIM;
        };
        return String.join(" ", line.at().truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString(),
                screen.paint(style, level),
                TerminalText.safe("[" + line.thread() + "] " + line.logger() + ": " + line.message()));
    }
}
