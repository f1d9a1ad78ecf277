package io.trawl.downloader.politeness;

import java.time.Duration;

/** What to do after a fetch. */
public sealed interface RetryDecision {
    /**
     * The outcome is final: answer the request with it.
     *
     * @param hostPause the minimum time until the next request of any kind to this host; zero if the usual delay is
     * enough
     */
    record GiveUp(Duration hostPause) implements RetryDecision {}

    /**
     * Fetch again.
     *
     * @param pause the minimum time until then
     * @param hostWaits whether the whole host waits that long, or only this request
     */
    record RetryLater(Duration pause, boolean hostWaits) implements RetryDecision {}
}
