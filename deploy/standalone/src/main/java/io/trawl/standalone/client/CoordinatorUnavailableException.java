package io.trawl.standalone.client;

/** The coordinator cannot be reached or cannot answer now; the call may be retried. */
public class CoordinatorUnavailableException extends RuntimeException {
    /** @param message names the coordinator and a remedy */
    public CoordinatorUnavailableException(String message) {
        super(message);
    }
}
