package io.trawl.pipeline.sink;

import java.util.Map;

/** What became of items that a sink was given. */
sealed interface DeliveryOutcome {
    /** The sink has all of them. */
    record Stored() implements DeliveryOutcome {}

    /** The sink has all but those that it refuses for good. @param refused by position of an item, why */
    record StoredInPart(Map<Long, String> refused) implements DeliveryOutcome {}

    /** They are not stored, or not known to be, so the sink gets all of them again. @param cause for people */
    record NotStored(String cause) implements DeliveryOutcome {}
}
