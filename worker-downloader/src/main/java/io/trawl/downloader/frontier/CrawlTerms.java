package io.trawl.downloader.frontier;

import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlRun;
import java.time.Duration;

/** What the frontier needs to know about crawls; called on its thread, never blocks. */
@FunctionalInterface
public interface CrawlTerms {
    /** The current terms of a run. */
    Terms terms(CrawlRun run);

    /**
     * The terms of one run.
     *
     * @param status whether it is present, over, or unknown
     * @param fetches whether its requests may be fetched
     * @param delay the pause between two requests of a host
     * @param profile settings that all its fetches share
     * @param mode how depths are compared
     */
    record Terms(RunStatus status, boolean fetches, Duration delay, FetchProfile profile, DepthMode mode) {
        /** Terms of a plain fetcher without a proxy. */
        public Terms(RunStatus status, boolean fetches, Duration delay, String userAgent, DepthMode mode) {
            this(status, fetches, delay, new FetchProfile(userAgent), mode);
        }

        /** The {@code User-Agent} header. */
        public String userAgent() {
            return profile.userAgent();
        }

        /** The terms of a run that is not present: nothing is fetched. */
        public static Terms absent(RunStatus runStatus) {
            return new Terms(runStatus, false, Duration.ZERO, "", DepthMode.DISCOVERY);
        }
    }
}
