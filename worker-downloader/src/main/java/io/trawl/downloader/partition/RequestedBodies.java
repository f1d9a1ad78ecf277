package io.trawl.downloader.partition;

import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The requested records of one partition, and the order of reading them: in ascending offsets, reading through near
 * ones and seeking to far ones; then again from the lowest. Belongs to the reading thread.
 */
final class RequestedBodies {
    /** Reading through this distance takes no longer than a seek: a few batches. */
    private static final long NEAR = 1000;
    private static final long UNKNOWN = -1;
    /** Offset to its requests. */
    private final TreeMap<Long, List<BodyRequest>> wanted = new TreeMap<>();
    private long position = UNKNOWN;
    private long assignment;

    /** A request for bodies, with the records found so far. */
    private static final class BodyRequest {
        private final long ask;
        private final List<DeliveredRecord> found = new ArrayList<>();
        private int left;

        BodyRequest(FrontierAction.ReadBodies readBodies) {
            this.ask = readBodies.ask();
            this.left = readBodies.offsets().size();
        }
    }

    /** The result of a read; missing offsets are not in the log. */
    record Found(long ask, List<DeliveredRecord> records) {}

    void add(FrontierAction.ReadBodies readBodies) {
        assignment = Math.max(assignment, readBodies.assignment());
        BodyRequest bodyRequest = new BodyRequest(readBodies);
        readBodies.offsets()
                .forEach(offset -> wanted.computeIfAbsent(offset, o -> new ArrayList<>(1)).add(bodyRequest));
    }

    /** Where to seek before the next poll; empty if reading on soon reaches the next requested record. */
    OptionalLong seekTarget() {
        Long above = wanted.ceilingKey(Math.max(0, position));
        long next = above == null ? wanted.firstKey() : above;
        if (position != UNKNOWN && next >= position && next - position <= NEAR) {
            return OptionalLong.empty();
        }
        position = next;
        return OptionalLong.of(next);
    }

    /**
     * The log has been read from the position to another one; returns the reads that are complete now.
     *
     * @param records all records in between
     */
    List<Found> passed(List<DeliveredRecord> records, long to) {
        Map<Long, DeliveredRecord> byOffset = new HashMap<>();
        records.forEach(record -> byOffset.put(record.offset(), record));
        List<Found> done = new ArrayList<>();
        Map<Long, List<BodyRequest>> passed = wanted.subMap(position, to);
        passed.forEach((offset, bodyRequests) -> {
            for (BodyRequest bodyRequest : bodyRequests) {
                DeliveredRecord record = byOffset.get(offset);
                if (record != null) {
                    bodyRequest.found.add(record);
                }
                bodyRequest.left--;
                if (bodyRequest.left == 0) {
                    done.add(new Found(bodyRequest.ask, List.copyOf(bodyRequest.found)));
                }
            }
        });
        passed.clear();
        position = to;
        return done;
    }

    /** The offset up to which the log has been read. */
    long position() {
        return position;
    }

    /** The latest assignment with a requested record. */
    long assignment() {
        return assignment;
    }

    boolean isEmpty() { return wanted.isEmpty(); }
}
