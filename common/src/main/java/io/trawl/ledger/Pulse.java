package io.trawl.ledger;

/**
 * A number that grows for as long as the store keeps what it was told: when it does not, facts have been lost. That does no harm but repeats, and
 * somebody should know. Thread-safe; calls block and throw {@link LedgerUnavailable}.
 */
public interface Pulse {
    /** Makes the number larger by one and returns it; 1 the first time. */
    long beat();

    /** How many bytes the store holds, for everybody who uses it. */
    long bytes();
}
