package io.trawl.downloader.frontier.queue;

import java.util.HashSet;
import java.util.Set;

/**
 * The time during which this process owns a request partition, from an assignment to the next revocation. Work of an
 * ended assignment is dropped.
 */
public final class Assignment {
    private final RequestPartition requestPartition;
    private final long number;
    private final OpenOffsets open;
    private final StoppedCrawlOffsets stoppedCrawlOffsets = new StoppedCrawlOffsets();
    private final StragglerOffsets stragglerOffsets = new StragglerOffsets();
    private final MovePass movePass = new MovePass();
    private final Set<Long> leaving = new HashSet<>();
    private long reported;
    private boolean ended;

    public Assignment(RequestPartition requestPartition, long number, long position) {
        this.requestPartition = requestPartition;
        this.number = number;
        this.open = new OpenOffsets(position);
        this.reported = position;
    }

    public RequestPartition requestPartition() {
        return requestPartition;
    }

    public long number() {
        return number;
    }

    public OpenOffsets offsets() {
        return open;
    }

    public StoppedCrawlOffsets stoppedCrawlOffsets() {
        return stoppedCrawlOffsets;
    }

    StragglerOffsets stragglerOffsets() {
        return stragglerOffsets;
    }

    MovePass movePass() {
        return movePass;
    }

    /** The offsets of requests that are written elsewhere now, and of records that are reported. */
    public Set<Long> leaving() {
        return leaving;
    }

    public boolean ended() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** Whether the low-water mark has moved since the last call. */
    boolean moved() {
        long low = open.lowWater();
        if (low == reported) {
            return false;
        }
        reported = low;
        return true;
    }
}
