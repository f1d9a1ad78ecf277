package io.trawl.standalone.text;

import io.trawl.coordinator.text.Screen;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the launcher script knows of the terminal; Java itself cannot tell whether standard error alone is one.
 *
 * @param present whether standard error is a terminal
 * @param columns its width
 * @param command what the user typed to get here, {@code ./trawl}
 */
public record Terminal(boolean present, int columns, String command) {
    private static final int NARROWEST = 40;
    private static final int USUAL = 100;

    /** From the system properties that the script sets. */
    public static Terminal ofLauncher() {
        return new Terminal(Boolean.getBoolean("trawl.terminal"), Math.max(NARROWEST, Integer.getInteger("trawl.columns", USUAL)),
                System.getProperty("trawl.command", "trawl"));
    }

    /** What standard output can show. */
    public Screen output() {
        return screen(Boolean.getBoolean("trawl.output.terminal"), columns, System.getenv());
    }

    /** No colours for a file, with {@code NO_COLOR} set (no-color.org) or on a terminal that has none. */
    static Screen screen(boolean terminal, int columns, Map<String, String> environment) {
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM"));
        return terminal ? new Screen(columns, colours) : Screen.FILE;
    }

    /** How progress is shown there. */
    public ProgressDisplay progress(boolean quiet, PrintStream err) {
        if (quiet) {
            return ProgressDisplay.none();
        }
        return present ? new TerminalProgress(err, columns, Time.system()) : new PlainProgress(err, Time.system());
    }

    /** The command with these arguments, to be typed again in a shell. */
    public String typed(List<String> args) {
        return command + args.stream().map(Terminal::quoted).collect(Collectors.joining(" ", " ", ""));
    }

    private static String quoted(String arg) {
        return arg.matches("[A-Za-z0-9_./:=@%+,-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
    }
}
