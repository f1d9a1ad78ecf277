package io.trawl.api;

import io.trawl.api.render.SubrequestRefusal;
import java.io.IOException;

/**
 * A {@link FetchTask} got no answer, or may not send the request. A fetcher that passes it on fails as the built-in one
 * would: with the same reason, and the same retries.
 */
public class FetchFailedException extends IOException {
    private static final long serialVersionUID = 1;
    /** The kind of the failure. */
    private final SubrequestRefusal reason;

    /**
     * A failure.
     *
     * @param message for users
     */
    public FetchFailedException(String message) {
        this(message, SubrequestRefusal.FAILED);
    }

    /**
     * A failure.
     *
     * @param message for users
     * @param reason its kind
     */
    public FetchFailedException(String message, SubrequestRefusal reason) {
        super(message);
        this.reason = reason;
    }

    /** {@return its kind} */
    public SubrequestRefusal reason() {
        return reason;
    }
}
