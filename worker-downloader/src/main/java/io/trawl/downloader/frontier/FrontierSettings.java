package io.trawl.downloader.frontier;

import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.SilentHosts;
import io.trawl.settings.Settings;
import java.util.List;

/**
 * What the frontier is told at its start.
 *
 * @param levels the number of priorities
 * @param shares how turns are divided among them
 * @param concurrency exchanges in flight in all
 * @param perHost exchanges in flight per host
 * @param pending how many requests may be pending before scanning pauses
 * @param bodies for how many bytes of memory bodies of pending requests are kept
 * @param unacknowledged how many body bytes may wait for Kafka before no fetch begins
 * @param politeness how long to leave hosts alone
 * @param silence when to close and give up hosts that do not answer
 * @param keys what requests share their pauses by
 */
public record FrontierSettings(int levels, Shares shares, int concurrency, int perHost, int pending, long bodies,
        long unacknowledged,
        Politeness politeness, SilentHosts.Rules silence, QueueKeys keys) {
    /** Enough for every slot to answer with a usual page, and for some huge ones. */
    private static final long UNACKNOWLEDGED = 64L << 20;

    /**
     * The settings of a process.
     *
     * @throws io.trawl.model.InvalidValue if there are shares, but not for each level
     */
    public static FrontierSettings of(Settings.Downloader settings, int levels, QueueKeys keys) {
        return new FrontierSettings(levels, Shares.of(settings.shares().orElse(List.of()), levels), settings.concurrency(),
                settings.perHost(), settings.pending(),
                settings.pendingBytes(), UNACKNOWLEDGED,
                new Politeness(settings.adaptiveFactor(), settings.longestPause(), settings.perHost()),
                new SilentHosts.Rules(settings.giveUpFailures(), settings.giveUpPause(), settings.giveUpLongestPause(),
                        settings.giveUpRounds()),
                keys);
    }
}
