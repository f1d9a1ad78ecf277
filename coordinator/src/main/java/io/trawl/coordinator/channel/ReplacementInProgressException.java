package io.trawl.coordinator.channel;

import io.trawl.control.Channels;

/** Another replacement is not done yet. */
public final class ReplacementInProgressException extends RuntimeException {
    ReplacementInProgressException(Channels now) {
        super(now.replaced()
                .map(old -> "the request topics of generation " + old.generation()
                        + " are still being replaced by those of generation " + now.generation())
                .orElse("responses of the former partitions are still being handled, before those of the new ones")
                + ": wait until that is done");
    }
}
