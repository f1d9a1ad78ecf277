package io.trawl.standalone.client;

/** The exit codes of all commands, for scripts. They never change their meaning. */
public final class ExitCode {
    /** Done. */
    public static final int DONE = 0;
    /** It failed for a reason that may pass: nobody answers, no coordinator leads, no room, no Kafka. The same command may be tried again. */
    public static final int FAILURE = 1;
    /** A mistake of the user: an option, a value, a definition. The same command would fail again. */
    public static final int MISTAKE = 2;
    /** There is no such crawl, module or page. */
    public static final int NOT_FOUND = 3;
    /** The state of the crawl or of the fleet forbids it. */
    public static final int CONFLICT = 4;
    /** The token is missing, unknown, or not enough. */
    public static final int DENIED = 5;

    private ExitCode() {}

    /** The code of a call that was refused with this HTTP status. */
    static int of(int status) {
        return switch (status) {
            case 401, 403 -> DENIED;
            case 404, 410 -> NOT_FOUND;
            case 409 -> CONFLICT;
            default -> MISTAKE;
        };
    }
}
