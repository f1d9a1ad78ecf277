package io.trawl.coordinator.lifecycle;

import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.model.MID;
import io.trawl.time.Time;
import java.util.Collection;
import java.util.List;

/**
 * The stop signs (S4) that operators set: of the whole fleet, of hosts, and of modules. While one is set, downloaders
 * do not fetch what is in its scope, regardless of the states of the crawls, which do not change; after its reset they
 * continue. Belongs to the leader's thread.
 */
public final class OperatorStopSign {
    private final ControlWriter controlWriter;
    private final ControlState controlState;
    private final Time time;

    /** @param controlWriter writes during this term */
    public OperatorStopSign(ControlWriter controlWriter, ControlState controlState, Time time) {
        this.controlWriter = controlWriter;
        this.controlState = controlState;
        this.time = time;
    }

    /** Sets a sign. Returns true only for the call that set it. */
    public boolean sign(SignScope scope) {
        return write(scope, true);
    }

    /** Resets a sign, if it is set. */
    public void reset(SignScope scope) {
        write(scope, false);
    }

    /** Resets the signs of modules that have left: a name is never used twice. */
    public void resetAllBut(Collection<MID> live) {
        List<SignScope> gone = controlState.stopSigns().stream()
                .filter(sign -> sign.signed() && sign.module().filter(mid -> !live.contains(mid)).isPresent())
                .map(StopSign::scope).toList();
        gone.forEach(this::reset);
    }

    private boolean write(SignScope scope, boolean signed) {
        boolean current = controlState.stopSign(scope).filter(StopSign::signed).isPresent();
        if (current == signed) {
            return false;
        }
        controlWriter.write(new StopSign(scope, controlState.nextVersion(scope.key()), signed, time.now()));
        return true;
    }
}
