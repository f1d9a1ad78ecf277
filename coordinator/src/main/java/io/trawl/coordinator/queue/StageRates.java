package io.trawl.coordinator.queue;

import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.StageState.HoldingFor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much the processes of each kind complete, from the counts that they report with their leases, over the last
 * minutes. What a process does while it holds for the next stage is no measure of what it could do, so those seconds
 * are left out of the second number. Thread-safe.
 */
public final class StageRates {
    private static final Duration WINDOW = Duration.ofMinutes(2);
    private final Deque<Sample> samples = new ArrayDeque<>();
    private Map<MID, Seen> last = Map.of();
    private volatile LiveModules live = new LiveModules(List.of(), Optional.empty(), Optional.empty());

    /** A process at the last look. */
    private record Seen(long done, boolean holds) {}

    /** What a kind completed between two looks, and in how many process seconds without a hold. */
    private record Sample(long at, Duration took, Map<ModuleKind, Work> work) {}

    private record Work(long done, long unheldDone, int unheld, int live) {
        Work plus(Work other) {
            return new Work(done + other.done, unheldDone + other.unheldDone, unheld + other.unheld, live + other.live);
        }
    }

    /**
     * The speed of the processes of a kind, in records a second.
     *
     * @param rate what they complete
     * @param unheld what they would complete if nothing held them; empty if all held all the time
     */
    public record MeasuredRate(double rate, Optional<Double> unheld) {
        /** Of a kind without processes. */
        public static final MeasuredRate NONE = new MeasuredRate(0, Optional.empty());
    }

    /**
     * The processes at the last look.
     *
     * @param registered those that the registrar has named
     * @param at when; empty before the first look
     * @param refusal why modules cannot register since then
     */
    public record LiveModules(List<Registration> registered, Optional<Instant> at, Optional<String> refusal) {
        private static final Duration VALID = Duration.ofSeconds(10);

        /**
         * When they were last known, if that is too long ago to go by: Redis does not answer, or takes no
         * registrations.
         */
        public Optional<Instant> unknownSince(Instant now) {
            return at.filter(look -> refusal.isPresent() || Duration.between(look, now).compareTo(VALID) > 0);
        }
    }

    /** The processes at the last look. */
    public LiveModules live() {
        return live;
    }

    /** Modules cannot register now, so the registrar is no measure. */
    void refused(String why) {
        live = new LiveModules(live.registered(), live.at(), Optional.of(why));
    }

    /** Takes the registrations at a moment. @param now the same in nanoseconds of the monotonic clock */
    public synchronized void seen(List<Registration> registered, Instant at, long now) {
        live = new LiveModules(registered, Optional.of(at), Optional.empty());
        Map<ModuleKind, Work> work = new EnumMap<>(ModuleKind.class);
        Map<MID, Seen> present = new HashMap<>();
        for (Registration module : registered) {
            Seen seen = new Seen(module.counts().completed() + module.counts().failed(),
                    module.state() instanceof HoldingFor);
            present.put(module.mid(), seen);
            Seen before = last.get(module.mid());
            if (before != null) {
                long done = Math.max(0, seen.done() - before.done());
                boolean unheld = !seen.holds() && !before.holds();
                work.merge(module.mid().kind(), new Work(done, unheld ? done : 0, unheld ? 1 : 0, 1), Work::plus);
            }
        }
        long previous = samples.isEmpty() ? now : samples.getLast().at();
        last = present;
        samples.addLast(new Sample(now, Duration.ofNanos(now - previous), work));
        while (now - samples.getFirst().at() > WINDOW.toNanos()) {
            samples.removeFirst();
        }
    }

    /** The speeds of the kinds of which processes were seen. */
    public synchronized Map<ModuleKind, MeasuredRate> latest() {
        Map<ModuleKind, MeasuredRate> rates = new EnumMap<>(ModuleKind.class);
        for (ModuleKind kind : ModuleKind.values()) {
            double seconds = 0;
            double moduleSeconds = 0;
            double unheldSeconds = 0;
            Work sum = new Work(0, 0, 0, 0);
            for (Sample sample : samples) {
                Work work = sample.work().getOrDefault(kind, new Work(0, 0, 0, 0));
                double took = sample.took().toNanos() / 1e9;
                seconds += took;
                moduleSeconds += took * work.live();
                unheldSeconds += took * work.unheld();
                sum = sum.plus(work);
            }
            if (moduleSeconds > 0) {
                // Per process, times the processes that there were on average.
                Optional<Double> unheld = unheldSeconds > 0
                        ? Optional.of(sum.unheldDone() / unheldSeconds * moduleSeconds / seconds)
                        : Optional.empty();
                rates.put(kind, new MeasuredRate(sum.done() / seconds, unheld));
            }
        }
        return rates;
    }
}
