package io.trawl.standalone.text;

import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,4}) ([1-9][0-9]{0,4})");

    /** From the system properties that the script sets. */
    public static Terminal ofLauncher() {
        return new Terminal(Boolean.getBoolean("trawl.terminal"),
                Math.max(NARROWEST, Integer.getInteger("trawl.columns", USUAL)),
                System.getProperty("trawl.command", "trawl"));
    }

    /** What standard output can show. */
    public Screen output() {
        return screen(Boolean.getBoolean("trawl.output.terminal"), columns, System.getenv());
    }

    /**
     * The same with the present width of the window, for output that is drawn again; without a window, the width is
     * that of the start.
     */
    public Terminal resized() {
        return window().map(size -> new Terminal(present, Math.max(NARROWEST, size.columns()), command)).orElse(this);
    }

    /** The lines that the window has room for above the next prompt; empty if there is no window. */
    public static OptionalInt rows() {
        return window().map(size -> OptionalInt.of(size.rows() - 1)).orElseGet(OptionalInt::empty);
    }

    /** The present size of the window; empty if there is none. */
    static Optional<WindowSize> window() {
        return size(List.of("stty", "-F", "/dev/tty", "size"))
                .or(() -> size(List.of("stty", "-f", "/dev/tty", "size")));
    }

    /** In characters. */
    record WindowSize(int rows, int columns) {}

    /** The size that the command prints; GNU and BSD name the terminal differently. */
    private static Optional<WindowSize> size(List<String> program) {
        try {
            Process stty = new ProcessBuilder(program).redirectErrorStream(true).start();
            stty.getOutputStream().close();
            Matcher size = SIZE
                    .matcher(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
            return size.matches()
                    ? Optional.of(new WindowSize(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
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
        return present ? new TerminalProgress(err, this, Time.system()) : new PlainProgress(err, Time.system());
    }

    /** Says on a line of its own why this process ends, from any thread: something may be drawing on the last line. */
    public static void lastWords(String line) {
        System.err
                .println((ofLauncher().present() ? System.lineSeparator() : "") + "trawl: " + TerminalText.safe(line));
    }

    /** The command with these arguments, to be typed again in a shell. */
    public String typed(List<String> args) {
        return command + args.stream().map(Terminal::quoted).collect(Collectors.joining(" ", " ", ""));
    }

    private static String quoted(String arg) {
        return arg.matches("[A-Za-z0-9_./:=@%+,-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
    }
}
