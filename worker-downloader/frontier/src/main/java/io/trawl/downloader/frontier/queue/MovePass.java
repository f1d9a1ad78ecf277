package io.trawl.downloader.frontier.queue;

import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The pass over what waits in one assignment that carries out orders to move requests to another priority: from the
 * low-water mark to where the log ended when the orders were given. Belongs to the frontier's thread.
 */
public final class MovePass {
    private static final int MOST_AT_ONCE = 512;
    private final Set<Order> seen = new HashSet<>();
    private long next;
    private long until;

    /** An order of a run. */
    private record Order(CrawlRun run, int number) {}

    /** Begins again at the low-water mark if there are orders that were not there before. */
    void orders(Assignment assignment, Collection<QueueMoves> latest, int generation) {
        RequestPartition at = assignment.requestPartition();
        for (QueueMoves moves : latest) {
            for (MoveOrder move : moves.moves()) {
                if (seen.add(new Order(moves.run(), move.number())) && move.to() != at.priority()) {
                    next = 0;
                    until = Math.max(until, move.until(generation, at.priority(), at.partition()));
                }
            }
        }
    }

    /** The next offsets to look at, in ascending order, which are near to each other; empty while there are none. */
    List<Long> advance(OpenOffsets open) {
        List<Long> offsets = next >= until ? List.of() : open.from(next, MOST_AT_ONCE);
        List<Long> near = offsets.stream()
                .filter(offset -> offset < until && offset - offsets.getFirst() < StoppedCrawlOffsets.SPAN).toList();
        next = near.isEmpty() ? Math.max(next, Math.min(until, open.position())) : near.getLast() + 1;
        return near;
    }

    /** How many offsets are left to look at; 0 when the pass is done. */
    long left(OpenOffsets open) {
        return Math.max(0, until - Math.max(next, open.lowWater()));
    }
}
