package io.trawl.coordinator.workers;

import io.trawl.model.MID;

/** No live module has that MID. Its message is meant to be shown as it is. */
public final class UnknownModule extends RuntimeException {
    UnknownModule(MID mid) {
        super("no module " + mid + " is registered");
    }
}
