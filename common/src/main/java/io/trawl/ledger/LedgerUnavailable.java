package io.trawl.ledger;

/** The store behind a port cannot be reached or does not answer: wait and try again, nothing is wrong with the data. */
public final class LedgerUnavailable extends RuntimeException {
    /** @param cause what the store's client said */
    public LedgerUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
