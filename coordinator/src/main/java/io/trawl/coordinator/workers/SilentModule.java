package io.trawl.coordinator.workers;

import io.trawl.model.MID;

/** A module does not answer at its address. Its message is meant to be shown as it is. */
public final class SilentModule extends RuntimeException {
    SilentModule(MID mid, String why) {
        super(mid + " does not answer: " + why);
    }
}
