package io.trawl.coordinator.workers;

import java.time.Duration;

/** A host may not be asked in time. Its message is meant to be shown as it is. */
public final class HostBusy extends RuntimeException {
    private final Duration pause;

    /** @param pause after how long it may be worth while to ask again */
    public HostBusy(String message, Duration pause) {
        super(message);
        this.pause = pause;
    }

    /** After how long it may be worth while to ask again. */
    public Duration pause() {
        return pause;
    }
}
