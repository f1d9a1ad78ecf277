package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Action.Commit.Mark;
import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The lanes that this process serves, and what may be committed of each. Belongs to the frontier's thread. */
final class Tenures {
    private final Map<Lane, Tenure> held = new HashMap<>();
    private final Set<Tenure> touched = new LinkedHashSet<>();
    /** So many sleeping requests count as one pending one: they cost some bytes each instead of a kilobyte. */
    private static final int SLEEPING_PER_PENDING = 64;
    private final long[] pending;

    Tenures(int levels) {
        pending = new long[levels];
    }

    /** A lane is served from now on. A tenure of the same lane that was not revoked ends. */
    void begin(Lane lane, long number, long position) {
        Tenure before = held.put(lane, new Tenure(lane, number, position));
        if (before != null) {
            end(before);
        }
    }

    /** The tenure of that number, if it lasts. */
    Optional<Tenure> find(Lane lane, long number) {
        Tenure tenure = held.get(lane);
        return tenure != null && tenure.number() == number ? Optional.of(tenure) : Optional.empty();
    }

    void delivered(Tenure tenure, long offset) {
        tenure.offsets().delivered(offset);
        pending[tenure.lane().priority()]++;
    }

    /** Whether a record has been delivered in this tenure before. */
    boolean seen(Tenure tenure, long offset) {
        return offset < tenure.offsets().position();
    }

    /** From now on only the offset of a request is remembered. */
    void sleep(Pending p) {
        if (!p.tenure().ended()) {
            p.tenure().sleepers().add(p.run(), p.offset());
        }
    }

    /** The runs some of whose requests sleep. */
    Set<CrawlRun> sleepingRuns() {
        Set<CrawlRun> runs = new LinkedHashSet<>();
        held.values().forEach(tenure -> runs.addAll(tenure.sleepers().runs()));
        return runs;
    }

    /** The requests of a run are awaited from now on; returns from where lanes must be read again. */
    Map<Lane, Mark> wake(CrawlRun run) {
        Map<Lane, Mark> from = new HashMap<>();
        held.forEach((lane, tenure) -> tenure.sleepers().wake(run)
                .ifPresent(offset -> from.put(lane, new Mark(tenure.number(), offset))));
        return from;
    }

    void reached(Tenure tenure, long position) {
        tenure.offsets().reached(position);
        touched.add(tenure);
    }

    void answered(Tenure tenure, long offset) {
        if (!tenure.ended()) {
            int before = tenure.offsets().open();
            tenure.offsets().answered(offset);
            pending[tenure.lane().priority()] -= before - tenure.offsets().open();
            touched.add(tenure);
        }
    }

    /** Ends the tenures of a partition; returns what may be committed of them. */
    Map<Lane, Mark> end(int partition) {
        Map<Lane, Mark> last = new HashMap<>();
        for (Tenure tenure : List.copyOf(held.values())) {
            if (tenure.lane().partition() == partition) {
                last.put(tenure.lane(), new Mark(tenure.number(), tenure.offsets().lowWater()));
                held.remove(tenure.lane());
                end(tenure);
            }
        }
        return last;
    }

    private void end(Tenure tenure) {
        pending[tenure.lane().priority()] -= tenure.offsets().open();
        tenure.end();
        touched.remove(tenure);
    }

    /** The low-water marks that have moved since this was asked last. */
    Map<Lane, Mark> moved() {
        if (touched.isEmpty()) {
            return Map.of();
        }
        Map<Lane, Mark> moved = new HashMap<>();
        for (Tenure tenure : touched) {
            if (tenure.moved()) {
                moved.put(tenure.lane(), new Mark(tenure.number(), tenure.offsets().lowWater()));
            }
        }
        touched.clear();
        return moved;
    }

    /** Delivered and unanswered requests by priority. */
    long[] pending() {
        return pending;
    }

    /** What the pending requests of each priority weigh. Those that are awaited weigh nothing: reading on is what brings them. */
    long[] load() {
        long[] load = pending.clone();
        held.forEach((lane, tenure) -> {
            int sleeping = tenure.sleepers().sleeping();
            load[lane.priority()] -= sleeping - sleeping / SLEEPING_PER_PENDING + tenure.sleepers().waking();
        });
        return load;
    }

    /** How many requests sleep or are awaited. */
    int sleeping() {
        return held.values().stream().mapToInt(tenure -> tenure.sleepers().sleeping() + tenure.sleepers().waking()).sum();
    }

    /** How many partition numbers are served. */
    int partitions() {
        Set<Integer> numbers = new HashSet<>();
        for (Lane lane : held.keySet()) {
            numbers.add(lane.partition());
        }
        return numbers.size();
    }
}
