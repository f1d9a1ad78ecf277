package io.trawl.downloader.frontier;

import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlRun;
import java.time.Duration;

/** What the frontier must know about crawls; asked on its thread, answers at once. */
@FunctionalInterface
public interface Crawls {
    /** How a run stands at this moment. */
    Terms terms(CrawlRun run);

    /**
     * The terms of one run.
     *
     * @param standing whether it is present, over, or unknown
     * @param fetches whether its requests may be fetched
     * @param delay the pause between two requests of a host
     * @param profile what its fetches have in common
     * @param mode how depths are compared
     */
    record Terms(Standing standing, boolean fetches, Duration delay, FetchProfile profile, DepthMode mode) {
        /** Terms of a plain fetcher without a proxy. */
        public Terms(Standing standing, boolean fetches, Duration delay, String userAgent, DepthMode mode) {
            this(standing, fetches, delay, new FetchProfile(userAgent), mode);
        }

        /** The {@code User-Agent} header. */
        public String userAgent() {
            return profile.userAgent();
        }

        /** The terms of a run that is not present: nothing is fetched. */
        public static Terms absent(Standing standing) {
            return new Terms(standing, false, Duration.ZERO, "", DepthMode.DISCOVERY);
        }
    }
}
