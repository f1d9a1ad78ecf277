package io.trawl.standalone.client;

import java.util.List;

/** The coordinator has refused a call. */
public final class ApiRefusal extends UserMistakeException {
    private final int status;
    private final List<String> lines;

    /**
     * @param status the HTTP status
     * @param lines the message, one line per fault
     */
    ApiRefusal(int status, List<String> lines) {
        super(String.join("; ", lines));
        this.status = status;
        this.lines = List.copyOf(lines);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** One line for each fault. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public int exitCode() {
        return ExitCode.of(status);
    }
}
