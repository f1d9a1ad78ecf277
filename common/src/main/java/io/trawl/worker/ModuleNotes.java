package io.trawl.worker;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.ErrorChannel;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator should know about a module: that it waits for something that does not come, and what its stage and
 * the clocks say. Each note is reported on {@code errors} when it begins. {@link #look} belongs to one thread;
 * {@link #latest} is for any.
 */
final class ModuleNotes {
    /** A restart, a rebalance or an election is over by then. */
    private static final Duration FAULT = Duration.ofSeconds(10);
    /** What comes and goes, such as slow hosts of a broad crawl, is reported again when it was away for so long. */
    private static final Duration AWAY = Duration.ofMinutes(10);
    private static final Logger LOG = LoggerFactory.getLogger(ModuleNotes.class);
    private final MID mid;
    private final ErrorChannel errors;
    private final Time time;
    private Optional<Wait> wait = Optional.empty();
    /** When each subject held last, by the monotonic clock. */
    private final Map<String, Long> reported = new HashMap<>();
    private volatile List<StageNote> latest = List.of();

    /** What the stage waits for, and since when. */
    private record Wait(String what, Optional<String> detail, Instant since, long began) {
        boolean same(StageState state) {
            return what.equals(state.text());
        }

        StageNote note() {
            return new StageNote(what, what + " since " + since.truncatedTo(ChronoUnit.SECONDS)
                    + detail.map(why -> ": " + why).orElse(""));
        }
    }

    ModuleNotes(MID mid, ErrorChannel errors, Time time) {
        this.mid = mid;
        this.errors = errors;
        this.time = time;
    }

    /**
     * Notes what holds now; called about once a second.
     *
     * @param state of the stage
     * @param others what the stage and the clocks say
     * @return the notes as sentences
     */
    List<String> look(StageState state, List<StageNote> others) {
        wait = wait(state).map(now -> wait.filter(before -> before.same(state)).orElse(now));
        List<StageNote> notes = new ArrayList<>(others);
        wait.filter(it -> time.nanos() - it.began() >= FAULT.toNanos()).ifPresent(it -> notes.addFirst(it.note()));
        long now = time.nanos();
        reported.values().removeIf(held -> now - held >= AWAY.toNanos());
        for (StageNote note : notes) {
            if (reported.put(note.about(), now) == null) {
                LOG.warn("{}", note.text());
                errors.report(CrawlerError.of(mid, Optional.empty(), Optional.empty(), note.kind(),
                        mid + ": " + note.text(), 1, time.now()));
            }
        }
        latest = List.copyOf(notes);
        return latest();
    }

    /** A pause for other stages, or for a stop sign, is no fault. */
    private Optional<Wait> wait(StageState state) {
        return switch (state) {
            case WaitingFor(var _, Optional<String> detail) -> Optional.of(begun(state, detail));
            case HoldingFor(HoldReason reason, Optional<String> detail) when reason == HoldReason.MEMORY
                    || reason == HoldReason.REDIS ->
                Optional.of(begun(state, detail));
            default -> Optional.empty();
        };
    }

    private Wait begun(StageState state, Optional<String> detail) {
        return new Wait(state.text(), detail, time.now(), time.nanos());
    }

    /** The notes of the last look that concern all crawls. */
    List<String> latest() {
        return latest.stream().filter(note -> note.crawl().isEmpty()).map(StageNote::text).toList();
    }

    /** The entry of the module with the notes of the last look. */
    Registration in(Registration entry) {
        Map<Boolean, List<StageNote>> byFault = latest.stream().collect(Collectors.partitioningBy(StageNote::fault));
        return entry.noting(requireNonNull(byFault.get(true)).stream().map(StageNote::text).toList(),
                requireNonNull(byFault.get(false)).stream()
                        .collect(Collectors.groupingBy(
                                note -> note.crawl().map(CrawlId::value).orElse(Registration.ALL_CRAWLS),
                                Collectors.mapping(StageNote::text, Collectors.toList()))));
    }

    /** How many of them are about the module, and not about the web. */
    long faults() {
        return latest.stream().filter(StageNote::fault).count();
    }
}
