package io.trawl.coordinator;

import io.trawl.ledger.LedgerUnavailable;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is committed and Redis is not told yet, in order; what it does not take now is kept for later. For the leader's thread. */
final class Announcements {
    private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);
    private final Deque<Runnable> left = new ArrayDeque<>();

    /** Has something told later: by the next of the calls below. */
    void add(Runnable announcement) {
        left.add(announcement);
    }

    /**
     * Tells all.
     *
     * @throws LedgerUnavailable if Redis does not answer; what is left is kept
     */
    void make() {
        for (Runnable next = left.peek(); next != null; next = left.peek()) {
            next.run();
            left.remove();
        }
    }

    /** The same without insisting on it. */
    void makeIfPossible() {
        try {
            make();
        } catch (LedgerUnavailable e) {
            LOG.debug("not announced yet: {}", e.getMessage());
        }
    }
}
