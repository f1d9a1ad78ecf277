package io.trawl.api;

import java.util.Map;

/**
 * A store refuses some items of a batch for good, whatever is tried; all others of the batch are stored. Such an item
 * is left out of the sink, counted as skipped by it, and reported as an error. A sink must not throw it for a failure
 * that may pass: those items would be missing.
 */
public final class ItemsRefusedException extends Exception {
    private final transient Map<Long, String> reasons;

    /**
     * Names the items that are refused.
     *
     * @param reasons by position of an item, why it is refused, for people
     */
    public ItemsRefusedException(Map<Long, String> reasons) {
        super(reasons.size() + " items are refused for good: " + reasons.values().stream().findFirst().orElse(""));
        this.reasons = Map.copyOf(reasons);
    }

    /** {@return by position of an item, why it is refused} */
    public Map<Long, String> reasons() {
        return reasons;
    }
}
