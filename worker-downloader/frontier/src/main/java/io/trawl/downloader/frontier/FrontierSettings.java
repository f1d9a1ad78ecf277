package io.trawl.downloader.frontier;

import io.trawl.admission.HostKeyFactory;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.queue.StoppedCrawlOffsets.RelocationRules;
import io.trawl.downloader.frontier.queue.StragglerOffsets.StragglerRules;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import io.trawl.settings.Settings;
import java.util.Collection;
import java.util.List;

/**
 * The settings of the frontier.
 *
 * @param levels the number of priorities
 * @param shares how turns are divided among them
 * @param slots the limit of exchanges in flight in total
 * @param perHost the limit of exchanges in flight per host
 * @param pending the number of pending requests at which scanning pauses
 * @param bodies the memory for bodies of pending requests, in bytes
 * @param unacknowledged the number of body bytes awaiting acknowledgement by Kafka at which no fetch begins
 * @param relocationRules when requests of stopped crawls are copied to the ends of their logs
 * @param stragglerRules which requests of other crawls are
 * @param politeness how long to leave hosts alone
 * @param giveUpRules when to close and give up hosts that do not answer
 * @param keys the key by which requests share their pauses
 */
public record FrontierSettings(int levels, PriorityShares shares, int slots, int perHost, int pending, long bodies,
        long unacknowledged, RelocationRules relocationRules, StragglerRules stragglerRules, Politeness politeness,
        UnresponsiveHosts.GiveUpRules giveUpRules, QueueKeys keys) {
    /** Enough for every slot to answer with a usual page, and for some huge ones. */
    private static final long UNACKNOWLEDGED = 64L << 20;

    /** Preparing a turn takes milliseconds, and what was looked up counts for a second only. */
    private static final int MOST_AHEAD = 64;

    /**
     * The settings of a process.
     *
     * @param slots see there
     * @throws io.trawl.model.InvalidValueException if there are shares, but not for each level
     */
    public static FrontierSettings of(Settings.DownloaderSettings settings, int slots, int levels, QueueKeys keys) {
        return new FrontierSettings(levels, PriorityShares.of(settings.shares().orElse(List.of()), levels), slots,
                settings.perHost(), settings.pending(), settings.pendingBytes(), UNACKNOWLEDGED, RelocationRules.USUAL,
                StragglerRules.of(settings.stragglerAge(), settings.stragglerRecords()),
                new Politeness(settings.adaptiveFactor(), settings.longestPause(), settings.perHost()),
                new UnresponsiveHosts.GiveUpRules(settings.giveUpFailures(), settings.giveUpPause(),
                        settings.giveUpLongestPause(), settings.giveUpRounds()),
                keys);
    }

    /** How many turns are prepared ahead of the slots. */
    int ahead() {
        return Math.min(slots, MOST_AHEAD);
    }

    /** The key by which servers share their pauses, their limit of requests in flight, and one queue. Thread-safe. */
    public interface QueueKeys {
        /**
         * The key of a server's requests, the same each time. A text that is such a key already, or does not name a
         * server, is its own key. Never blocks.
         */
        HostKey of(HostKey server);

        /**
         * Prepares {@link #of} for servers that the frontier is about to see. May block for some seconds; never fails.
         */
        default void learn(Collection<HostKey> servers) {}

        /** The keys that follow from the servers alone. */
        static QueueKeys by(PolitenessKey key) {
            return server -> HostKeyFactory.politeness(server, key);
        }
    }
}
