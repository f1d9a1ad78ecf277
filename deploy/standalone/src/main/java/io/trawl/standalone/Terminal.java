package io.trawl.standalone;

import io.trawl.standalone.report.PlainProgress;
import io.trawl.standalone.report.Progress;
import io.trawl.standalone.report.TerminalProgress;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the launcher script knows of the terminal; Java itself cannot tell whether standard error alone is one.
 *
 * @param present whether standard error is a terminal
 * @param columns its width
 * @param command what the user typed to get here, {@code ./trawl}
 */
record Terminal(boolean present, int columns, String command) {
    private static final int NARROWEST = 40;
    private static final int USUAL = 100;

    /** From the system properties that the script sets. */
    static Terminal ofLauncher() {
        return new Terminal(Boolean.getBoolean("trawl.terminal"), Math.max(NARROWEST, Integer.getInteger("trawl.columns", USUAL)),
                System.getProperty("trawl.command", "trawl"));
    }

    /** How progress is shown there. */
    Progress progress(boolean quiet, PrintStream err) {
        if (quiet) {
            return Progress.none();
        }
        return present ? new TerminalProgress(err, columns, Time.system()) : new PlainProgress(err, Time.system());
    }

    /** The command with these arguments, to be typed again in a shell. */
    String typed(List<String> args) {
        return command + args.stream().map(Terminal::quoted).collect(Collectors.joining(" ", " ", ""));
    }

    private static String quoted(String arg) {
        return arg.matches("[A-Za-z0-9_./:=@%+,-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
    }
}
