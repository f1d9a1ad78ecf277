package io.trawl.coordinator.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.coordinator.queue.QueueWatch.Reading;
import io.trawl.coordinator.summary.LevelCounts;
import io.trawl.coordinator.summary.Traffic;
import io.trawl.model.RefusalReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The channels of a deployment at one moment (S1, S2). Backlogs are the broker's, at most a second old; the other numbers are sums over the ledger, so they
 * survive every crash, but for {@code refusedCalls}.
 *
 * @param status {@code uninitialized} before there are request topics, {@code started} while a crawl runs, else {@code initialized}
 * @param line all of it in one line of text
 * @param at when the backlogs were read; empty if they could not be yet
 * @param levels the priorities, highest first
 * @param pushed requests that were emitted, at all priorities
 * @param popped requests that were answered, at all priorities
 * @param responses what analyzers have not handled
 * @param items what pipelines have not handled
 * @param refused seeds in the topic that were refused for {@link #ERRORS}
 * @param refusedCalls seeds that calls of the REST interface were refused for them, since the answering coordinator started
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record QueueSummary(String status, String line, Optional<Instant> at, List<Level> levels, long pushed, long popped,
        Channel responses, Channel items, Map<RefusalReason, Long> refused, Map<RefusalReason, Long> refusedCalls) {
    /** The errors of a push to a request channel. */
    public static final Set<RefusalReason> ERRORS = Set.of(RefusalReason.PRIORITY_OUT_OF_INDEX, RefusalReason.CHANNEL_FULL);

    /**
     * One priority; {@code pushed = popped + waiting + abandoned}.
     *
     * @param capacity how many may wait before seeds are refused; empty: no limit
     * @param backlog offsets that downloaders have not committed; markers of transactions and what was answered out of order count, so it is never less
     *        than what is not downloaded yet
     * @param pushed requests that were emitted
     * @param popped requests that were answered
     * @param waiting requests that are not answered: those in the channel, in flight, and in responses that are not analysed yet
     * @param abandoned requests that a fresh run has left unanswered for good
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Level(int priority, Optional<Long> capacity, Optional<Long> backlog, long pushed, long popped, long waiting,
            long abandoned) {}

    /**
     * A channel behind the downloaders.
     *
     * @param limit at how many downloaders hold; empty: no limit
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Channel(Optional<Long> backlog, Optional<Long> limit) {}

    /**
     * The summary of what is known.
     *
     * @param rule empty before there are request topics
     * @param running whether a crawl is started
     * @param responseLimit at how many responses downloaders hold; 0: no limit
     */
    public static QueueSummary of(Optional<CapacityRule> rule, Optional<Reading> reading, Traffic traffic, boolean running,
            long responseLimit, Map<RefusalReason, Long> refusedCalls) {
        List<Level> levels = new ArrayList<>();
        rule.ifPresent(r -> {
            for (int p = r.levels() - 1; p >= 0; p--) {
                int priority = p;
                LevelCounts counts = traffic.levels().getOrDefault(p, LevelCounts.NONE);
                Optional<Long> backlog = reading.filter(now -> priority < now.requests().size())
                        .map(now -> now.requests().get(priority));
                levels.add(
                        new Level(p, r.of(p), backlog, counts.pushed(), counts.popped(), counts.waiting(), counts.abandoned()));
            }
        });
        Channel responses = new Channel(reading.map(Reading::responses), Optional.of(responseLimit).filter(n -> n > 0));
        Channel items = new Channel(reading.map(Reading::items), Optional.empty());
        String status = rule.isEmpty() ? "uninitialized" : running ? "started" : "initialized";
        Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
        traffic.refusals().forEach((reason, count) -> {
            if (ERRORS.contains(reason)) {
                refused.put(reason, count);
            }
        });
        return new QueueSummary(status, line(status, levels, responses, items), reading.map(Reading::at), levels,
                levels.stream().mapToLong(Level::pushed).sum(), levels.stream().mapToLong(Level::popped).sum(), responses, items,
                refused, refusedCalls);
    }

    private static String line(String status, List<Level> levels, Channel responses, Channel items) {
        List<String> parts = new ArrayList<>();
        parts.add("status: " + status);
        levels.forEach(
                level -> parts.add("requestChannel p" + level.priority() + ": " + fill(level.backlog(), level.capacity())));
        parts.add("responseChannel: " + fill(responses.backlog(), responses.limit()));
        parts.add("itemChannel: " + fill(items.backlog(), items.limit()));
        return String.join(", ", parts);
    }

    private static String fill(Optional<Long> backlog, Optional<Long> most) {
        return backlog.map(n -> Long.toString(n)).orElse("?") + "/" + most.map(n -> Long.toString(n)).orElse("unlimited");
    }
}
