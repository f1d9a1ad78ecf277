package io.trawl.ledger;

/** Redis cannot be used now: it does not answer, or refuses writes; the same call may succeed later. */
public class LedgerUnavailableException extends RuntimeException {
    /** @param message one line for people */
    public LedgerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Redis answers and takes no writes: its memory or its disk is full, or it is a replica. The message says so and
     * why, in one line.
     */
    public static final class WritesRefusedException extends LedgerUnavailableException {
        /** @param reason in a few words */
        public WritesRefusedException(String reason, Throwable cause) {
            super("Redis refuses writes: " + reason, cause);
        }
    }
}
