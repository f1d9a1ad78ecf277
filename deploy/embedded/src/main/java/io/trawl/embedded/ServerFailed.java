package io.trawl.embedded;

/** The broker or the redis-server did not start, or not in time. */
public final class ServerFailed extends EmbeddedFailure {
    ServerFailed(String message) {
        super(message);
    }

    ServerFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
