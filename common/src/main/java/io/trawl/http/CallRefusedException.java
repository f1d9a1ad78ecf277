package io.trawl.http;

import java.util.Map;

/** A call gets no answer but this. Its message is shown to the caller as it is. */
public final class CallRefusedException extends RuntimeException {
    private static final String STARTING = "starting";
    private final int status;
    private final transient Map<String, String> headers;

    private CallRefusedException(int status, String detail, Map<String, String> headers) {
        super(detail);
        this.status = status;
        this.headers = headers;
    }

    /** @param status 400 to 599 */
    public CallRefusedException(int status, String detail) {
        this(status, detail, Map.of());
    }

    /** 503, and after how many seconds to ask again. */
    public static CallRefusedException unavailable(String detail, long seconds) {
        return new CallRefusedException(503, detail, Map.of("Retry-After", Long.toString(seconds)));
    }

    /** 503: the process has not started yet. */
    public static CallRefusedException starting() {
        return new CallRefusedException(503, STARTING);
    }

    /** Whether it is {@link #starting}. */
    boolean isStarting() { return STARTING.equals(getMessage()); }

    /** 404. */
    public static CallRefusedException noSuchPage() {
        return new CallRefusedException(404, "no such page");
    }

    /** 405. @param allowed the methods of the page, separated by commas */
    public static CallRefusedException otherMethod(String allowed) {
        return new CallRefusedException(405, "only " + allowed, Map.of("Allow", allowed));
    }

    /** The HTTP status. */
    int status() {
        return status;
    }

    /** Headers that belong to the answer. */
    Map<String, String> headers() {
        return headers;
    }
}
