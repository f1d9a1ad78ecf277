package io.trawl.downloader.frontier;

/** The time during which this process owns a lane, from one assignment to the next revocation. What belongs to an ended one is dropped. */
final class Tenure {
    private final Lane lane;
    private final long number;
    private final OpenOffsets open;
    private final Sleepers sleepers = new Sleepers();
    private long reported;
    private boolean ended;

    Tenure(Lane lane, long number, long position) {
        this.lane = lane;
        this.number = number;
        this.open = new OpenOffsets(position);
        this.reported = position;
    }

    Lane lane() {
        return lane;
    }

    long number() {
        return number;
    }

    OpenOffsets offsets() {
        return open;
    }

    Sleepers sleepers() {
        return sleepers;
    }

    boolean ended() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** Whether the low-water mark has moved since this was asked last. */
    boolean moved() {
        long low = open.lowWater();
        if (low == reported) {
            return false;
        }
        reported = low;
        return true;
    }
}
