package io.trawl.bench.run;

import io.trawl.time.Time;
import java.util.function.LongConsumer;

/** Prints the progress of a load every 5 s. Not thread-safe. */
final class LoadProgress implements LongConsumer {
    private static final long EVERY_NANOS = 5_000_000_000L;
    private final long all;
    private final Time time;
    private long lastPrinted;

    LoadProgress(long all, Time time) {
        this.all = all;
        this.time = time;
        this.lastPrinted = time.nanos();
    }

    @Override
    public void accept(long written) {
        if (written == all || time.nanos() - lastPrinted > EVERY_NANOS) {
            lastPrinted = time.nanos();
            BenchOptions.progress("loaded %,d of %,d", written, all);
        }
    }
}
