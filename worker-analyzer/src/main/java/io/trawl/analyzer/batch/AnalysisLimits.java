package io.trawl.analyzer.batch;

import io.trawl.channel.KafkaClients;
import io.trawl.settings.Settings;

/**
 * The limits of an analysis.
 *
 * @param redirects the longest chain of redirects that is followed
 * @param urlLength the longest URL that is admitted, in characters
 * @param recordSize the largest value of a record, in bytes
 */
public record AnalysisLimits(int redirects, int urlLength, int recordSize) {
    private static final int KEY_AND_HEADERS = 4096;

    /** The limits from the settings. */
    public static AnalysisLimits of(Settings settings) {
        return new AnalysisLimits(settings.analyzer().redirects(), settings.analyzer().urlLength(),
                KafkaClients.largestRecord(settings) - KEY_AND_HEADERS);
    }
}
