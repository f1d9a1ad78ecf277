package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.time.Time;
import java.util.Optional;

/**
 * The stop sign of the whole fleet (S4). While it is set, downloaders do not fetch, regardless of the states of the
 * crawls, which do not change; after its reset all crawls continue. Belongs to the leader's thread.
 */
public final class FleetStopSign {
    private static final String KEY = StopSign.key(Optional.empty());
    private final ControlWriter controlWriter;
    private final ControlState controlState;
    private final Time time;

    /** @param controlWriter writes during this term */
    public FleetStopSign(ControlWriter controlWriter, ControlState controlState, Time time) {
        this.controlWriter = controlWriter;
        this.controlState = controlState;
        this.time = time;
    }

    /** Sets the sign. Returns true only for the call that set it. */
    public boolean sign() {
        return write(true);
    }

    /** Resets the sign, if it is set. */
    public void reset() {
        write(false);
    }

    private boolean write(boolean signed) {
        boolean current = controlState.stopSign(Optional.empty()).filter(StopSign::signed).isPresent();
        if (current == signed) {
            return false;
        }
        controlWriter.write(new StopSign(Optional.empty(), controlState.nextVersion(KEY), signed, time.now()));
        return true;
    }
}
