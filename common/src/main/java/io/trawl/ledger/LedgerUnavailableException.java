package io.trawl.ledger;

/** The store behind a port cannot be reached or does not answer: wait and retry, the data is not at fault. */
public final class LedgerUnavailableException extends RuntimeException {
    /** @param cause the exception of the store's client */
    public LedgerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
