package io.trawl.standalone.steer;

import io.trawl.standalone.print.Words;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.time.Duration;

/** Says on standard error what is waited for, between two looks: on a terminal in one line that is written over, else whenever it changes. Used by one thread. */
final class Waiting implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofMillis(500);
    private static final String CLEAR = "\r\u001b[2K";
    private final PrintStream err;
    private final boolean terminal;
    private final int columns;
    private final Time time;
    private String last = "";

    Waiting(PrintStream err, boolean terminal, int columns, Time time) {
        this.err = err;
        this.terminal = terminal;
        this.columns = columns;
        this.time = time;
    }

    /** As the launcher script describes standard error. */
    static Waiting onStandardError(Time time) {
        return new Waiting(System.err, Boolean.getBoolean("trawl.terminal"), Integer.getInteger("trawl.columns", 100), time);
    }

    /** Says it, and waits for half a second. */
    void show(String line) throws InterruptedException {
        say(line);
        time.pause(BETWEEN);
    }

    /** Says it. */
    void say(String line) {
        if (terminal) {
            err.print(CLEAR + Words.fitted(Words.safe(line), columns - 1));
        } else if (!line.equals(last)) {
            err.println(Words.safe(line));
        }
        last = line;
        err.flush();
    }

    @Override
    public void close() {
        if (terminal && !last.isEmpty()) {
            err.print(CLEAR);
            err.flush();
        }
    }
}
