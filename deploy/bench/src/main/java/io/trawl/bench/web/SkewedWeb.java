package io.trawl.bench.web;

import io.trawl.testkit.web.WebPages;
import io.trawl.testkit.web.WebResponse;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** One slow host, number 0, and others that answer at once. Counts requests for pages. Thread-safe. */
public final class SkewedWeb implements WebPages {
    private final WebResponse slow;
    private final WebResponse quick = WebResponse.page("<title>quick</title>", Duration.ZERO);
    private final LongAdder ofSlow = new LongAdder();
    private final LongAdder ofOthers = new LongAdder();

    /** @param takes response time of the slow host */
    public SkewedWeb(Duration takes) {
        slow = WebResponse.page("<title>slow</title>", takes);
    }

    @Override
    public WebResponse answer(int host, String path) {
        if (path.equals("/robots.txt")) {
            return WebResponse.notFound();
        }
        (host == 0 ? ofSlow : ofOthers).increment();
        return host == 0 ? slow : quick;
    }

    /** The number of requested pages of the slow host. */
    public long ofSlow() {
        return ofSlow.sum();
    }

    /** The number of requested pages of all other hosts. */
    public long ofOthers() {
        return ofOthers.sum();
    }
}
