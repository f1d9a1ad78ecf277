package io.trawl.standalone.client;

import io.trawl.standalone.UserMistake;
import java.util.List;

/** The coordinator understood the call and refuses it. */
public final class Refused extends UserMistake {
    private final int status;
    private final List<String> lines;

    /**
     * @param status the HTTP status
     * @param lines what it says about this case, one line per fault
     */
    Refused(int status, List<String> lines) {
        super(String.join("; ", lines));
        this.status = status;
        this.lines = List.copyOf(lines);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** One line for each thing that is wrong. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public int exitCode() {
        return ExitCode.of(status);
    }
}
