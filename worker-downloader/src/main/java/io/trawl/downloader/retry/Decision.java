package io.trawl.downloader.retry;

import java.time.Duration;

/** What to do after a fetch. */
public sealed interface Decision {
    /**
     * The outcome is final: answer the request with it.
     *
     * @param hostPause the least time until the next request of any kind to this host; zero if the usual delay is enough
     */
    record Answer(Duration hostPause) implements Decision {}

    /**
     * Fetch again.
     *
     * @param pause the least time until then
     * @param hostWaits whether the whole host waits that long, or this request alone
     */
    record RetryAfter(Duration pause, boolean hostWaits) implements Decision {}
}
