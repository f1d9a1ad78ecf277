package io.trawl.coordinator.api;

/** The caller may not ask that. Its message is meant to be shown as it is. */
final class AccessRefused extends RuntimeException {
    private final int status;

    /** @param status 401 if the caller is not known, 403 if it is */
    AccessRefused(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
