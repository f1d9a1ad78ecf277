package io.trawl.downloader.answer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether something that others rely on is away; tells the log once when it goes and once when it is back. Thread-safe. */
public final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private final String what;
    private volatile boolean now;

    /** @param what is away, as people call it: {@code redis} */
    public Outage(String what) {
        this.what = what;
    }

    /** It does not answer. */
    public void begin(Throwable cause) {
        if (!now) {
            now = true;
            LOG.warn("waiting for {}: {}", what, cause.getMessage());
        }
    }

    /** It answers. */
    public void end() {
        if (now) {
            now = false;
            LOG.info("{} is back", what);
        }
    }

    /** Whether it is away. */
    public boolean now() {
        return now;
    }
}
