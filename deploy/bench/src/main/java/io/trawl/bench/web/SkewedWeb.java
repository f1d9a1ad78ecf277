package io.trawl.bench.web;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** One host that is slow, number 0, and others that answer at once. Counts requests for pages. Thread-safe. */
public final class SkewedWeb implements Pages {
    private final Answer slow;
    private final Answer quick = Answer.page("<title>quick</title>", Duration.ZERO);
    private final LongAdder ofSlow = new LongAdder();
    private final LongAdder ofOthers = new LongAdder();

    /** @param takes what an answer of the slow host takes */
    public SkewedWeb(Duration takes) {
        slow = Answer.page("<title>slow</title>", takes);
    }

    @Override
    public Answer answer(int host, String path) {
        if (path.equals("/robots.txt")) {
            return Answer.notFound();
        }
        (host == 0 ? ofSlow : ofOthers).increment();
        return host == 0 ? slow : quick;
    }

    /** How many pages of the slow host were asked for. */
    public long ofSlow() {
        return ofSlow.sum();
    }

    /** How many pages of all others were asked for. */
    public long ofOthers() {
        return ofOthers.sum();
    }
}
