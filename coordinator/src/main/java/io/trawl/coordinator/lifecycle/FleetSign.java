package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.time.Time;
import java.util.Optional;

/**
 * The stop sign of the whole fleet (S4). While it stands nothing is fetched, whatever the states of the crawls, which stay as they are; after its reset
 * all go on. Belongs to the leader's thread.
 */
public final class FleetSign {
    private static final String KEY = StopSign.key(Optional.empty());
    private final Scribe scribe;
    private final Book book;
    private final Time time;

    /** @param scribe writes while this process leads */
    public FleetSign(Scribe scribe, Book book, Time time) {
        this.scribe = scribe;
        this.book = book;
        this.time = time;
    }

    /** Signs. True only for the call that did: a sign that stands stays as it is. */
    public boolean sign() {
        return write(true);
    }

    /** Takes the sign away, if it stands. */
    public void reset() {
        write(false);
    }

    private boolean write(boolean signed) {
        boolean stands = book.stopSign(Optional.empty()).filter(StopSign::signed).isPresent();
        if (stands == signed) {
            return false;
        }
        scribe.write(new StopSign(Optional.empty(), book.nextVersion(KEY), signed, time.now()));
        return true;
    }
}
