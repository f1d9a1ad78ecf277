package io.trawl.control;

import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Instant;

/**
 * A change of the number of partitions that records of a topic are written to, which is done.
 *
 * @param channel {@code responses}, {@code items} or {@code ledger}
 * @param from the number before
 * @param to the number since
 * @param since when it was asked for
 * @param done when it was complete: of responses, when all of the former partitions were handled
 */
public record ChangedPartitions(String channel, int from, int to, Instant since, Instant done) {
    /** @throws io.trawl.model.InvalidValueException if a value is missing or out of its range */
    public ChangedPartitions {
        FieldRules.present("changed.channel", channel);
        FieldRules.count("changed.from", from);
        FieldRules.count("changed.to", to);
        FieldRules.present("changed.since", since);
        FieldRules.present("changed.done", done);
    }
}
