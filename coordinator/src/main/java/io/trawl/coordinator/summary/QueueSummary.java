package io.trawl.coordinator.summary;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.coordinator.queue.CapacityRule;
import io.trawl.coordinator.queue.QueueRefusals;
import io.trawl.coordinator.queue.QueueWatch.BacklogReading;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.model.ModuleKind;
import io.trawl.model.RefusalReason;
import io.trawl.control.Channels;
import io.trawl.ledger.ResponseLayout;
import java.util.TreeMap;
import java.util.Comparator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The channels of a deployment at one moment (S1, S2). Backlogs come from the broker and are at most a second old; the
 * other numbers, except {@code refusedCalls}, are sums over the ledger and survive crashes.
 *
 * @param status {@code uninitialized} before there are request topics, {@code started} while a crawl runs, else
 * {@code        initialized}
 * @param line the summary in one line of text
 * @param at the time at which the backlogs were read; empty before the first reading
 * @param levels the priorities, highest first
 * @param pushed requests that were emitted, at all priorities
 * @param popped requests that were answered, at all priorities
 * @param responses responses that analyzers have not handled
 * @param items items that pipelines have not read
 * @param errors records that the topic of errors holds; its retention bounds it, since no process waits for its readers
 * @param refused seeds in the topic that were refused for one of {@link QueueRefusals#REASONS}
 * @param refusedCalls seeds that this coordinator has refused for them in calls of the REST interface since it started
 * @param counting present while the sums over the ledger are incomplete
 * @param replacement present while the request topics are replaced
 * @param relaying present while responses of their former partitions are handled
 * @param changes what was changed and is done, the latest first
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record QueueSummary(String status, String line, Optional<Instant> at, List<Level> levels, long pushed,
        long popped, ChannelBacklog responses, ChannelBacklog items, ChannelBacklog errors,
        Map<RefusalReason, Long> refused, Map<RefusalReason, Long> refusedCalls, Optional<Counting> counting,
        Optional<ReplacementProgress> replacement, Optional<Relaying> relaying, List<DoneChange> changes) {
    /** The errors of a push to a request channel. */
    public static final Set<RefusalReason> ERRORS = Set.of(RefusalReason.PRIORITY_OUT_OF_INDEX,
            RefusalReason.CHANNEL_FULL);

    /** Replaces a summary that a coordinator of another version does not report. */
    public static final QueueSummary UNKNOWN = new QueueSummary("", "", Optional.empty(), List.of(), 0, 0,
            ChannelBacklog.UNKNOWN, ChannelBacklog.UNKNOWN, ChannelBacklog.UNKNOWN, Map.of(), Map.of(),
            Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    /** Fills in fields that a coordinator of another version does not report. */
    public QueueSummary {
        line = requireNonNullElse(line, "");
        levels = requireNonNullElse(levels, List.of());
        responses = requireNonNullElse(responses, ChannelBacklog.UNKNOWN);
        items = requireNonNullElse(items, ChannelBacklog.UNKNOWN);
        errors = requireNonNullElse(errors, ChannelBacklog.UNKNOWN);
        refused = requireNonNullElse(refused, Map.of());
        refusedCalls = requireNonNullElse(refusedCalls, Map.of());
        changes = requireNonNullElse(changes, List.of());
    }

    /**
     * One priority; {@code pushed = popped + waiting + abandoned}.
     *
     * @param capacity the number of requests that may wait before seeds are refused; empty: no limit
     * @param backlog offsets that downloaders have not committed; transaction markers and requests that were answered
     * out of order count, so it is never less than the number of requests to download
     * @param pushed requests that were emitted
     * @param popped requests that were answered
     * @param waiting requests without an answer: in the channel, in flight, and in responses that are not analysed yet
     * @param abandoned unanswered requests of runs that a fresh run has replaced
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Level(int priority, Optional<Long> capacity, Optional<Long> backlog, long pushed, long popped,
            long waiting, long abandoned) {}

    /**
     * Responses get another number of partitions: those of the former ones are handled first.
     *
     * @param from the former number
     * @param to the number that was asked for
     * @param since when it was decided
     */
    public record Relaying(int from, int to, Instant since) {
        private static Optional<Relaying> of(Channels now) {
            ResponseLayout layout = now.responseLayout();
            return layout.closing().map(change -> new Relaying(now.responses(), change.partitions(), change.since()))
                    .or(() -> layout.left()
                            .map(left -> new Relaying(layout.former().getLast(), now.responses(), left.since())));
        }
    }

    /**
     * How far the replacement of the request topics is. Counts are offsets, so they are upper bounds of the requests.
     *
     * @param from the generation that is replaced
     * @param to the generation that replaces it
     * @param opened whether the new topics are served
     * @param forwarded what has left the old topics
     * @param left what waits in the old topics
     * @param secondsLeft until nothing is left, at the speed since the new topics are served; empty before anything has
     * moved
     * @param levels by priority, how much of how much has left the old topics
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record ReplacementProgress(int from, int to, boolean opened, long forwarded, long left,
            Optional<Long> secondsLeft, Map<Integer, Forwarded> levels) {
        /** @param total that was there when the change was decided, or more if more came since */
        public record Forwarded(long forwarded, long total) {
            private Forwarded plus(Forwarded other) {
                return new Forwarded(forwarded + other.forwarded, total + other.total);
            }
        }

        private static Optional<ReplacementProgress> of(Optional<Channels> channels, Optional<BacklogReading> reading) {
            return channels.flatMap(now -> now.replaced().map(old -> of(now, old, reading)));
        }

        private static ReplacementProgress of(Channels now, Channels.Replaced old, Optional<BacklogReading> reading) {
            Map<Integer, Forwarded> levels = new TreeMap<>(Comparator.reverseOrder());
            for (int p = 0; p < old.waiting().size(); p++) {
                int priority = p;
                long left = reading.filter(read -> priority < read.replaced().size())
                        .map(read -> read.replaced().get(priority)).orElse(old.waiting().get(p));
                long total = Math.max(left, old.waiting().get(p));
                levels.merge(now.level(p), new Forwarded(total - left, total), Forwarded::plus);
            }
            Forwarded all = levels.values().stream().reduce(new Forwarded(0, 0), Forwarded::plus);
            long left = all.total() - all.forwarded();
            Optional<Long> seconds = old.opened()
                    .flatMap(opened -> reading.map(read -> Duration.between(opened, read.at())))
                    .filter(spent -> spent.isPositive() && all.forwarded() > 0)
                    .map(spent -> spent.toMillis() * left / all.forwarded() / 1000);
            return new ReplacementProgress(old.generation(), now.generation(), old.opened().isPresent(),
                    all.forwarded(), left, seconds, levels);
        }

        /** {@code replacing g1->g2}. */
        String text() {
            return "replacing g" + from + "->g" + to;
        }

        private String text(int priority) {
            return Optional.ofNullable(levels.get(priority))
                    .map(level -> " (forwarded " + level.forwarded() + "/" + level.total() + ")").orElse("");
        }
    }

    /**
     * A channel behind the downloaders.
     *
     * @param backlog what waits for the next stage
     * @param unfinished of items: what is in no finished file
     * @param limit the backlog, of items what is in no finished file, at which the stage before it pauses; empty: no
     * limit
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record ChannelBacklog(Optional<Long> backlog, Optional<Long> unfinished, Optional<Long> limit) {
        private static final ChannelBacklog UNKNOWN = new ChannelBacklog(Optional.empty(), Optional.empty(),
                Optional.empty());

        /** Whether nothing of the channel is under way; not known is nothing. */
        boolean empty() {
            return backlog.orElse(0L) == 0 && unfinished.orElse(0L) == 0;
        }
    }

    /**
     * Creates the summary.
     *
     * @param rule empty before there are request topics
     * @param running whether a crawl is started
     * @param responseLimit the backlog of responses at which downloaders pause; 0: no limit
     * @param itemLimit the backlog of items at which analyzers pause; 0: no limit
     * @param channels the request topics, and those that they replace
     * @param missing the kinds of module of which none is running: the line says for which channels
     */
    public static QueueSummary of(Optional<CapacityRule> rule, Optional<BacklogReading> backlogReading, Traffic traffic,
            boolean running, long responseLimit, long itemLimit, Map<RefusalReason, Long> refusedCalls,
            Optional<Counting> counting, Optional<Channels> channels, Set<ModuleKind> missing) {
        List<Level> levels = new ArrayList<>();
        rule.ifPresent(r -> {
            for (int p = r.levels() - 1; p >= 0; p--) {
                int priority = p;
                LevelCounts counts = traffic.of(p, r.levels());
                Optional<Long> backlog = backlogReading.filter(now -> priority < now.requests().size())
                        .map(now -> now.requests().get(priority));
                levels.add(new Level(p, r.of(p), backlog, counts.pushed(), counts.popped(), counts.waiting(),
                        counts.abandoned()));
            }
        });
        ChannelBacklog responses = channel(backlogReading, BacklogReading::responses, Optional.empty(), responseLimit);
        ChannelBacklog items = channel(backlogReading, BacklogReading::items,
                backlogReading.map(BacklogReading::unfinished), itemLimit);
        ChannelBacklog errors = channel(backlogReading, BacklogReading::errors, Optional.empty(), 0);
        String status = rule.isEmpty() ? "uninitialized" : running ? "started" : "initialized";
        Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
        traffic.refusals().forEach((reason, count) -> {
            if (QueueRefusals.REASONS.contains(reason)) {
                refused.put(reason, count);
            }
        });
        Optional<ReplacementProgress> replacement = ReplacementProgress.of(channels, backlogReading);
        return new QueueSummary(status,
                line(replacement.map(ReplacementProgress::text).orElse(status), levels, replacement, counting,
                        responses, items, errors, missing),
                backlogReading.map(BacklogReading::at), levels, levels.stream().mapToLong(Level::pushed).sum(),
                levels.stream().mapToLong(Level::popped).sum(), responses, items, errors, refused, refusedCalls,
                counting, replacement, channels.flatMap(Relaying::of), channels.map(DoneChange::of).orElse(List.of()));
    }

    /**
     * How many requests of a priority wait: the backlog counts offsets, of which transaction markers take some, so it
     * is not more than the requests without an answer. While the ledger is counted these are not known.
     */
    public Optional<Long> length(Level level) {
        return length(level, counting);
    }

    private static Optional<Long> length(Level level, Optional<Counting> counting) {
        return counting.isPresent()
                ? level.backlog()
                : level.backlog().map(offsets -> Math.min(offsets, level.waiting()));
    }

    private static String line(String status, List<Level> levels, Optional<ReplacementProgress> replacement,
            Optional<Counting> counting, ChannelBacklog responses, ChannelBacklog items, ChannelBacklog errors,
            Set<ModuleKind> missing) {
        List<String> parts = new ArrayList<>();
        parts.add("status: " + status);
        levels.forEach(level -> parts.add("requestChannel p" + level.priority() + ": "
                + fill(length(level, counting), level.capacity())
                + replacement.map(r -> r.text(level.priority())).orElse("") + without(ModuleKind.DOWNLOADER, missing)));
        parts.add("responseChannel: " + fill(responses.backlog(), responses.limit())
                + without(ModuleKind.ANALYZER, missing));
        parts.add("itemChannel: " + fill(items.backlog(), items.limit()) + without(ModuleKind.PIPELINE, missing));
        parts.add("errorChannel: " + fill(errors.backlog(), "bounded"));
        return String.join(", ", parts);
    }

    private static String without(ModuleKind reader, Set<ModuleKind> missing) {
        return missing.contains(reader) ? " (no " + reader.word() + ")" : "";
    }

    private static ChannelBacklog channel(Optional<BacklogReading> reading, Function<BacklogReading, Long> backlog,
            Optional<Long> unfinished, long limit) {
        return new ChannelBacklog(reading.map(backlog), unfinished, Optional.of(limit).filter(n -> n > 0));
    }

    private static String fill(Optional<Long> backlog, Optional<Long> most) {
        return fill(backlog, most.map(n -> Long.toString(n)).orElse("unlimited"));
    }

    private static String fill(Optional<Long> backlog, String most) {
        return backlog.map(n -> Long.toString(n)).orElse("?") + "/" + most;
    }
}
