package io.trawl.coordinator.lifecycle;

import java.util.concurrent.Callable;

/** The one thread that owns everything that may change while this process leads. */
@FunctionalInterface
public interface LeaderThread {
    /**
     * Runs a decision on the leader's thread and waits for it. What it throws is thrown here.
     *
     * @throws NotLeading if this process does not lead, or ceased to before the decision was carried out; it may have been
     */
    <T> T call(Callable<T> decision) throws InterruptedException;

    /** Another coordinator leads, or none. */
    final class NotLeading extends RuntimeException {
        /** Without a cause: this is no error. */
        public NotLeading() {
            super("this coordinator does not lead");
        }
    }
}
