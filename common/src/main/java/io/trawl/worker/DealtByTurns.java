package io.trawl.worker;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.ControlView;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The stop signs that are dealt with (S4) by a stage which goes on with what is there already, one turn after the other: whatever it had in hand when
 * the sign was read is done when that turn is over. A stage that hangs never deals. Thread-safe; never blocks.
 */
public final class DealtByTurns {
    private final LongSupplier turns;
    /** The sign of each scope that stands, and the turn in which it was read. */
    private final Map<String, Read> standing = new ConcurrentHashMap<>();

    private record Read(long version, long turn) {}

    /** @param turns how many turns of work are over: grows by one whenever nothing is in hand */
    public DealtByTurns(ControlView control, LongSupplier turns) {
        this.turns = turns;
        control.listen(this::read);
    }

    private void read(ControlRecord record) {
        if (record instanceof StopSign sign) {
            if (sign.signed()) {
                standing.put(sign.key(), new Read(sign.version(), turns.getAsLong()));
            } else {
                standing.remove(sign.key());
            }
        } else if (record instanceof Deleted deleted) {
            deleted.keys().forEach(standing::remove);
        }
    }

    /** Key of the sign to its version; see {@link Stage#deals}. */
    public Map<String, Long> deals() {
        long over = turns.getAsLong();
        Map<String, Long> deals = new HashMap<>();
        standing.forEach((key, read) -> {
            if (over > read.turn()) {
                deals.put(key, read.version());
            }
        });
        return deals;
    }
}
