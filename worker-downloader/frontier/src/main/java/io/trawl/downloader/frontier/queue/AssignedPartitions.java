package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.queue.StoppedCrawlOffsets.RelocationRules;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.downloader.frontier.queue.StragglerOffsets.StragglerRules;
import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The request partitions that this process serves, and the offsets that may be committed of each. Belongs to the
 * frontier's thread.
 */
public final class AssignedPartitions {
    /** The low-water mark of a partition within one assignment. */
    public record Mark(long assignment, long offset) {}

    private final Map<RequestPartition, Assignment> held = new HashMap<>();
    private final Set<Assignment> touched = new LinkedHashSet<>();
    /**
     * This many requests of stopped crawls count as one pending one: they cost some bytes each instead of a kilobyte.
     */
    private static final int STOPPED_PER_PENDING = 64;
    private final long[] pending;
    private final RelocationRules relocationRules;
    private final StragglerRules stragglerRules;

    /**
     * @param relocationRules when requests of stopped crawls are copied to the end of the log
     * @param stragglerRules when other requests are
     */
    public AssignedPartitions(int levels, RelocationRules relocationRules, StragglerRules stragglerRules) {
        pending = new long[levels];
        this.relocationRules = relocationRules;
        this.stragglerRules = stragglerRules;
    }

    /** Begins to serve a partition. An earlier assignment of it that was not revoked ends. */
    public void begin(RequestPartition requestPartition, long number, long position) {
        Assignment before = held.put(requestPartition, new Assignment(requestPartition, number, position));
        if (before != null) {
            end(before);
        }
    }

    /** The assignment with this number, if it has not ended. */
    public Optional<Assignment> find(RequestPartition requestPartition, long number) {
        Assignment assignment = held.get(requestPartition);
        return assignment != null && assignment.number() == number ? Optional.of(assignment) : Optional.empty();
    }

    public void delivered(Assignment assignment, long offset) {
        assignment.offsets().delivered(offset);
        pending[assignment.requestPartition().priority()]++;
    }

    /** Whether a record was delivered before in this assignment. */
    public boolean seen(Assignment assignment, long offset) {
        return offset < assignment.offsets().position();
    }

    /** Keeps only the offset of a request from now on, or nothing if its copy is written elsewhere. */
    public void keepOffset(PendingRequest p) {
        Assignment assignment = p.assignment();
        if (!assignment.ended() && assignment.offsets().contains(p.offset())
                && !assignment.leaving().contains(p.offset())) {
            assignment.stoppedCrawlOffsets().add(p.run(), p.offset());
        }
    }

    /** Whether so many records stand above the low-water mark that a request that holds it is worth a copy. */
    public boolean isHeld(Assignment assignment) {
        return assignment.offsets().position() - assignment.offsets().lowWater() >= relocationRules.least();
    }

    /** The offsets that must be copied to the ends of their logs now; see {@link StoppedCrawlOffsets#leave}. */
    public Map<Assignment, List<Long>> leaving() {
        Map<Assignment, List<Long>> leaving = new LinkedHashMap<>();
        for (Assignment assignment : held.values()) {
            List<Long> offsets = assignment.stoppedCrawlOffsets().leave(assignment.offsets(), relocationRules);
            if (!offsets.isEmpty()) {
                leaving.put(assignment, offsets);
            }
        }
        return leaving;
    }

    /** The stragglers that must be copied to the ends of their logs now; see {@link StragglerOffsets#leave}. */
    public Map<Assignment, List<Long>> stragglers(long now) {
        Map<Assignment, List<Long>> leaving = new LinkedHashMap<>();
        for (Assignment assignment : held.values()) {
            List<Long> offsets = assignment.stragglerOffsets().leave(assignment.offsets(), stragglerRules, now);
            if (!offsets.isEmpty() && assignment.leaving().isEmpty()) {
                leaving.put(assignment, offsets);
            }
        }
        return leaving;
    }

    /** Whether stragglers may hold some log. */
    public boolean heldByStragglers() {
        return held.values().stream().anyMatch(assignment -> stragglerRules.isHeld(assignment.offsets()));
    }

    /**
     * Orders to move requests; what was ordered before is not begun again, except in partitions that were assigned
     * since.
     */
    public void orders(Collection<QueueMoves> latest, int generation) {
        held.values().forEach(assignment -> assignment.movePass().orders(assignment, latest, generation));
    }

    /** The next offsets that the pass over what waits must look at, of the assignments that match. */
    public Map<Assignment, List<Long>> toLookAt(Predicate<Assignment> which) {
        Map<Assignment, List<Long>> next = new LinkedHashMap<>();
        held.values().stream().filter(which).forEach(assignment -> {
            List<Long> offsets = assignment.movePass().advance(assignment.offsets());
            if (!offsets.isEmpty()) {
                next.put(assignment, offsets);
            }
        });
        return next;
    }

    /** How many offsets the pass over what waits has not looked at, and how many requests are on their way. */
    public long leftToMove() {
        return held.values().stream()
                .mapToLong(assignment -> assignment.movePass().left(assignment.offsets()) + assignment.leaving().size())
                .sum();
    }

    /** The runs with requests of which only the offset is kept. */
    public Set<CrawlRun> stoppedRuns() {
        Set<CrawlRun> runs = new LinkedHashSet<>();
        held.values().forEach(assignment -> runs.addAll(assignment.stoppedCrawlOffsets().runs()));
        return runs;
    }

    /** Awaits the requests of a run from now on; returns the offsets from which partitions must be read again. */
    public Map<RequestPartition, Mark> resume(CrawlRun run) {
        Map<RequestPartition, Mark> from = new HashMap<>();
        held.forEach((requestPartition, assignment) -> assignment.stoppedCrawlOffsets().resume(run)
                .ifPresent(offset -> from.put(requestPartition, new Mark(assignment.number(), offset))));
        return from;
    }

    public void reached(Assignment assignment, long position) {
        assignment.offsets().reached(position);
        touched.add(assignment);
    }

    public void answered(Assignment assignment, long offset) {
        if (!assignment.ended()) {
            int before = assignment.offsets().open();
            assignment.offsets().answered(offset);
            assignment.leaving().remove(offset);
            pending[assignment.requestPartition().priority()] -= before - assignment.offsets().open();
            touched.add(assignment);
        }
    }

    /** Ends the assignments of a partition; returns what may be committed of them. */
    public Map<RequestPartition, Mark> end(int partition) {
        Map<RequestPartition, Mark> last = new HashMap<>();
        for (Assignment assignment : List.copyOf(held.values())) {
            if (assignment.requestPartition().partition() == partition) {
                last.put(assignment.requestPartition(), new Mark(assignment.number(), assignment.offsets().lowWater()));
                held.remove(assignment.requestPartition());
                end(assignment);
            }
        }
        return last;
    }

    private void end(Assignment assignment) {
        pending[assignment.requestPartition().priority()] -= assignment.offsets().open();
        assignment.end();
        touched.remove(assignment);
    }

    /** The low-water marks that have moved since the last call. */
    public Map<RequestPartition, Mark> moved() {
        if (touched.isEmpty()) {
            return Map.of();
        }
        Map<RequestPartition, Mark> moved = new HashMap<>();
        for (Assignment assignment : touched) {
            if (assignment.moved()) {
                moved.put(assignment.requestPartition(),
                        new Mark(assignment.number(), assignment.offsets().lowWater()));
            }
        }
        touched.clear();
        return moved;
    }

    /** Delivered and unanswered requests by priority. */
    public long[] pending() {
        return pending;
    }

    /**
     * The load of the pending requests of each priority. Awaited requests do not count, since reading on delivers them.
     */
    public long[] load() {
        long[] load = pending.clone();
        held.forEach((requestPartition, assignment) -> {
            int stopped = assignment.stoppedCrawlOffsets().stopped();
            load[requestPartition.priority()] -= stopped - stopped / STOPPED_PER_PENDING
                    + assignment.stoppedCrawlOffsets().awaited();
        });
        return load;
    }

    /** The number of requests of which only the offset is kept, or that are awaited. */
    public int stopped() {
        return held.values().stream().mapToInt(
                assignment -> assignment.stoppedCrawlOffsets().stopped() + assignment.stoppedCrawlOffsets().awaited())
                .sum();
    }

    /** The number of partition numbers that are served. */
    public int partitions() {
        Set<Integer> numbers = new HashSet<>();
        for (RequestPartition requestPartition : held.keySet()) {
            numbers.add(requestPartition.partition());
        }
        return numbers.size();
    }
}
