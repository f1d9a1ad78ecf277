package io.trawl.downloader.frontier;

/**
 * The delivered and unanswered offsets of one partition, and with them its low-water mark. Offsets are delivered in growing order and answered in any;
 * from the low-water mark to the position an offset costs about a bit. Not thread-safe.
 */
final class OpenOffsets {
    private final OffsetSet unanswered = new OffsetSet();
    private int open;
    private long position;

    /** @param position the offset from which records will be delivered */
    OpenOffsets(long position) {
        this.position = position;
    }

    /** A record that nobody has answered yet; its offset is larger than all before. */
    void delivered(long offset) {
        if (offset < position) {
            throw new IllegalArgumentException("offset " + offset + " was delivered after " + position);
        }
        unanswered.add(offset);
        open++;
        position = offset + 1;
    }

    /** Everything below this offset has been delivered, or is nothing to deliver: a marker, an aborted record, one that was answered before. */
    void reached(long next) {
        position = Math.max(position, next);
    }

    /** The answer of a delivered record is acknowledged and marked. Saying so twice is no error. */
    void answered(long offset) {
        if (unanswered.remove(offset)) {
            open--;
        }
    }

    /** The lowest delivered offset without an answer, or the position if there is none: what may be committed. */
    long lowWater() {
        return unanswered.lowest().orElse(position);
    }

    /** The offset after everything that was delivered. */
    long position() {
        return position;
    }

    /** How many delivered offsets have no answer. */
    int open() {
        return open;
    }
}
