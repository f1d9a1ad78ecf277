package io.trawl.standalone.client;

/** The exit codes of all commands, for scripts. They are stable. */
public final class ExitCode {
    /** Success. */
    public static final int DONE = 0;
    /** A temporary failure: no answer, no leader, no capacity, no Kafka. The same command may be retried. */
    public static final int FAILURE = 1;
    /** Invalid input: an option, a value, a definition. A retry would fail, too. */
    public static final int MISTAKE = 2;
    /** The crawl, module or page does not exist. */
    public static final int NOT_FOUND = 3;
    /** The state of the crawl or of the fleet does not allow it. */
    public static final int CONFLICT = 4;
    /** The token is missing, unknown, or not sufficient. */
    public static final int DENIED = 5;

    /** A run has failed: it has no page, or has lost most of them. */
    public static final int RUN_FAILED = 6;

    private ExitCode() {}

    /** The exit code for an HTTP status. */
    static int of(int status) {
        return switch (status) {
            case 401, 403 -> DENIED;
            case 404, 410 -> NOT_FOUND;
            case 409 -> CONFLICT;
            default -> MISTAKE;
        };
    }
}
