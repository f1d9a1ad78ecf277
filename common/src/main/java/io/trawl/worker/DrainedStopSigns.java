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
 * The stop signs (S4) that a stage has handled which continues with its present work, turn by turn: all work in flight when the sign was read is done
 * when that turn is over. A stage that hangs never handles a sign. Thread-safe; never blocks.
 */
public final class DrainedStopSigns {
    private final LongSupplier turns;
    /** The sign in force of each scope, and the turn in which it was read. */
    private final Map<String, Read> signed = new ConcurrentHashMap<>();

    private record Read(long version, long turn) {}

    /** @param turns the number of completed turns: grows by one whenever no work is in flight */
    public DrainedStopSigns(ControlView control, LongSupplier turns) {
        this.turns = turns;
        control.listen(this::read);
    }

    private void read(ControlRecord record) {
        if (record instanceof StopSign sign) {
            if (sign.signed()) {
                signed.put(sign.key(), new Read(sign.version(), turns.getAsLong()));
            } else {
                signed.remove(sign.key());
            }
        } else if (record instanceof Deleted deleted) {
            deleted.keys().forEach(signed::remove);
        }
    }

    /** Key of the sign to its version; see {@link Stage#deals}. */
    public Map<String, Long> deals() {
        long over = turns.getAsLong();
        Map<String, Long> deals = new HashMap<>();
        signed.forEach((key, read) -> {
            if (over > read.turn()) {
                deals.put(key, read.version());
            }
        });
        return deals;
    }
}
