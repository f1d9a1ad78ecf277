package io.trawl.bench.run;

import io.trawl.time.Time;
import java.util.function.LongConsumer;

/** Says every few seconds how much is loaded. Used by one thread. */
final class Progress implements LongConsumer {
    private static final long EVERY_NANOS = 5_000_000_000L;
    private final long all;
    private final Time time;
    private long said;

    Progress(long all, Time time) {
        this.all = all;
        this.time = time;
        this.said = time.nanos();
    }

    @Override
    public void accept(long written) {
        if (written == all || time.nanos() - said > EVERY_NANOS) {
            said = time.nanos();
            Common.say("loaded %,d of %,d", written, all);
        }
    }
}
