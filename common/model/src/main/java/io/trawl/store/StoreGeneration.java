package io.trawl.store;

/**
 * A number that grows as long as the store keeps its data: when it does not grow, facts have been lost. That only
 * repeats work, but operators should know. Thread-safe; calls block and throw {@link LedgerUnavailableException}.
 */
public interface StoreGeneration {
    /** Increments the number and returns it; 1 the first time. */
    long increment();

    /** The memory use of the store in bytes, for all its users together. */
    long bytes();
}
