package io.trawl.module;

import io.trawl.api.Counts;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one module (S10). {@code called} grows when work arrives, {@code accepted} when it passes the checks,
 * then either {@code completed} or {@code failed} grows exactly once, unless it is given back. Safe for use by many
 * threads.
 */
public final class Counters {
    private final LongAdder called = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder returned = new LongAdder();

    /** Work arrived. */
    public void called(long n) {
        called.add(n);
    }

    /** Work passed the checks and is now in flight. */
    public void accepted(long n) {
        accepted.add(n);
    }

    /** Accepted work succeeded. */
    public void completed(long n) {
        completed.add(n);
    }

    /** Accepted work ended in an error. */
    public void failed(long n) {
        failed.add(n);
    }

    /** Accepted work was given back unfinished: it arrives again, here or at another module. */
    public void returned(long n) {
        returned.add(n);
    }

    /** A snapshot; {@code handling} is the accepted work that has not ended. */
    public Counts counts() {
        long done = completed.sum();
        long bad = failed.sum();
        long back = returned.sum();
        long taken = accepted.sum();
        return new Counts(called.sum(), taken, done, bad, back, Math.max(0, taken - done - bad - back));
    }
}
