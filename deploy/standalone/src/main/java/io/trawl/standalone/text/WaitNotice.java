package io.trawl.standalone.text;

import io.trawl.coordinator.text.TerminalText;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Tells on standard error what a command waits for: on a terminal in one line that is overwritten, else in a line of
 * its own whenever the text changes. Used by one thread.
 */
public final class WaitNotice implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofMillis(500);
    private static final String CLEAR = "\r\u001b[2K";
    private final PrintStream err = System.err;
    private final Terminal terminal = Terminal.ofLauncher();
    private final Time time;
    private String last = "";

    /** Shows nothing yet. */
    public WaitNotice(Time time) {
        this.time = time;
    }

    /** Shows the line, and waits for half a second. */
    public void show(String line) throws InterruptedException {
        say(line);
        time.pause(BETWEEN);
    }

    /** Shows the line. */
    public void say(String line) {
        if (terminal.present()) {
            err.print(CLEAR + TerminalText.fitted(TerminalText.safe(line), terminal.columns() - 1));
        } else if (!line.equals(last)) {
            err.println(TerminalText.safe(line));
        }
        last = line;
        err.flush();
    }

    /** Takes the line away: what it said is over. */
    public void clear() {
        if (terminal.present() && !last.isEmpty()) {
            err.print(CLEAR);
            err.flush();
        }
        last = "";
    }

    @Override
    public void close() {
        clear();
    }
}
