package io.trawl.channel;

/**
 * Another process has taken over the transactional id, or the broker has fenced this producer: the transaction is void.
 * The caller either steps down, or reads {@code control} and opens the writer again.
 */
public final class WriterFencedException extends RuntimeException {
    /** @param cause the client's exception */
    public WriterFencedException(String message, Throwable cause) {
        super(message, cause);
    }
}
