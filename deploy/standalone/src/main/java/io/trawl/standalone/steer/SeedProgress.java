package io.trawl.standalone.steer;

import io.trawl.standalone.report.Figures;
import io.trawl.time.Time;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Says how many seeds have been sent, once that takes longer than two seconds. The stream is read by one thread, which is the one that says so. */
final class SeedProgress implements AutoCloseable {
    private static final long QUIET = Duration.ofSeconds(2).toNanos();
    private static final long BETWEEN = Duration.ofMillis(500).toNanos();
    private final SeedLines lines;
    private final Waiting waiting;
    private final Time time;
    private final long begun;
    private long last;

    private SeedProgress(SeedLines lines, Waiting waiting, Time time) {
        this.lines = lines;
        this.waiting = waiting;
        this.time = time;
        this.begun = time.nanos();
    }

    /** Nothing is said yet. */
    static SeedProgress of(SeedLines lines, Time time) {
        return new SeedProgress(lines, Waiting.onStandardError(time), time);
    }

    /** The lines; reading them shows the progress. */
    InputStream watched() {
        return new FilterInputStream(lines) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int read = super.read(into, offset, length);
                note(read < 0);
                return read;
            }
        };
    }

    private void note(boolean over) {
        long now = time.nanos();
        if (now - begun >= QUIET && (over || now - last >= BETWEEN)) {
            last = now;
            waiting.say(Figures.count(lines.count()) + " seeds sent" + (over ? ", waiting for the answer" : ""));
        }
    }

    @Override
    public void close() {
        waiting.close();
    }
}
