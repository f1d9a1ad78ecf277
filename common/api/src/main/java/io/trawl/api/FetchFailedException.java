package io.trawl.api;

import java.io.IOException;

/**
 * A {@link FetchTask} got no answer, or may not send the request. A fetcher that passes it on fails as the built-in one would: with the same
 * reason, and the same retries.
 */
public class FetchFailedException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * A failure.
     *
     * @param message for users
     */
    public FetchFailedException(String message) {
        super(message);
    }
}
