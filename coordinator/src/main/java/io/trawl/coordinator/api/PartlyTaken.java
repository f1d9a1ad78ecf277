package io.trawl.coordinator.api;

/** A stream of seeds came to an early end: some seeds are taken, for good. */
final class PartlyTaken extends RuntimeException {
    private final long taken;
    private final Exception why;

    /** @param taken that many, from the first on */
    PartlyTaken(long taken, Exception why) {
        super(why);
        this.taken = taken;
        this.why = why;
    }

    long taken() {
        return taken;
    }

    Exception why() {
        return why;
    }
}
