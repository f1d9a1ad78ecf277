package io.trawl.downloader.frontier.queue;

/**
 * The time during which this process owns a request partition, from an assignment to the next revocation. Work of an
 * ended assignment is dropped.
 */
public final class Assignment {
    private final RequestPartition requestPartition;
    private final long number;
    private final OpenOffsets open;
    private final StoppedCrawlOffsets stoppedCrawlOffsets = new StoppedCrawlOffsets();
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
