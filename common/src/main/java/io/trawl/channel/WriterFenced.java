package io.trawl.channel;

/**
 * Another process has taken over the transactional id, or the broker has ended this producer for good: what was being written is void. Whoever catches
 * this either steps down or opens the writer anew, having read {@code control} first.
 */
public final class WriterFenced extends RuntimeException {
    /** @param cause what the client said */
    public WriterFenced(String message, Throwable cause) {
        super(message, cause);
    }
}
