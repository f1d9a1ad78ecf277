package io.trawl.worker;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.StopSign;
import io.trawl.control.ControlView;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.module.Deal;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The stop signs (S4) of a stage that continues with its present work, turn by turn: all work in flight when a sign was
 * read is done when that turn is over. A stage that hangs never deals with a sign. Thread-safe; never blocks.
 */
public final class DrainedStopSigns {
    private final LongSupplier turns;
    private final Counters counters;
    private final Time time;
    private final MID mid;
    private final BooleanSupplier away;
    private final Map<String, Read> signed = new ConcurrentHashMap<>();

    /**
     * A sign in force.
     *
     * @param leaves whether this module leaves its groups for it
     * @param turn in which it was read, at {@code at} in nanoseconds
     * @param inFlight the work in flight then
     * @param took in nanoseconds, once that turn was seen to be over
     */
    private record Read(long version, boolean leaves, long turn, long at, int inFlight, OptionalLong took) {
        Read over(long now) {
            return took.isPresent() ? this : new Read(version, leaves, turn, at, inFlight, OptionalLong.of(now - at));
        }
    }

    /**
     * @param turns the number of completed turns: grows by one whenever no work is in flight
     * @param counters tell how much work is in flight
     * @param mid this module
     * @param away whether it has left its groups, as the sign of this module demands
     */
    public DrainedStopSigns(ControlView control, LongSupplier turns, Counters counters, Time time, MID mid,
            BooleanSupplier away) {
        this.mid = mid;
        this.away = away;
        this.turns = turns;
        this.counters = counters;
        this.time = time;
        control.listen(this::read);
    }

    private void read(ControlRecord record) {
        if (record instanceof StopSign sign && sign.scope().concerns(mid)) {
            if (sign.signed()) {
                signed.put(sign.key(), new Read(sign.version(), sign.module().isPresent(), turns.getAsLong(),
                        time.nanos(), handling(), OptionalLong.empty()));
            } else {
                signed.remove(sign.key());
            }
        } else if (record instanceof Deleted deleted) {
            deleted.keys().forEach(signed::remove);
        }
    }

    private int handling() {
        return (int) Math.min(Integer.MAX_VALUE, counters.counts().handling());
    }

    /** How far the stage is with each sign; see {@link Stage#deals}. Call it often: it notes when a turn is over. */
    public List<Deal> deals() {
        long over = turns.getAsLong();
        signed.replaceAll((_, read) -> over > read.turn() && (!read.leaves() || away.getAsBoolean())
                ? read.over(time.nanos())
                : read);
        return signed.entrySet().stream().map(sign -> deal(sign.getKey(), sign.getValue())).toList();
    }

    private Deal deal(String sign, Read read) {
        return read.took().isPresent()
                ? Deal.done(sign, read.version(), Duration.ofNanos(read.took().getAsLong()), read.inFlight())
                : Deal.waiting(sign, read.version(), handling(), Optional.empty());
    }
}
