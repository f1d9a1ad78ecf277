package io.trawl.analyzer.batch;

import io.trawl.channel.KafkaClients;
import io.trawl.settings.Settings;

/**
 * What an analysis holds to.
 *
 * @param redirects in a row that are followed
 * @param urlLength the longest URL that is admitted, in characters
 * @param recordSize the largest value of a record, in bytes
 */
public record Limits(int redirects, int urlLength, int recordSize) {
    private static final int KEY_AND_HEADERS = 4096;

    /** The limits that the settings say. */
    public static Limits of(Settings settings) {
        return new Limits(settings.analyzer().redirects(), settings.analyzer().urlLength(),
                KafkaClients.largestRecord(settings) - KEY_AND_HEADERS);
    }
}
