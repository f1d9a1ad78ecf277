package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.Channels;
import io.trawl.control.ChangedPartitions;
import io.trawl.control.Channels.DoneReplacement;
import io.trawl.model.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A change of the channels that is done: the last one of the request topics, or of the partitions of another topic.
 *
 * @param channel {@code requests}, {@code responses}, {@code items} or {@code ledger}
 * @param since when it was decided, of partitions when it was asked for
 * @param done when nothing was left to do
 * @param forwarded of request topics: how many requests were forwarded, by the leader that has completed it
 * @param perSecond of request topics: how many were forwarded a second; absent if that took no time
 * @param rest of request topics: for how long nothing was fetched
 * @param text the change as a sentence
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record DoneChange(String channel, Instant since, Instant done, Optional<Long> forwarded,
        Optional<Double> perSecond, Optional<Duration> rest, String text) {
    /** All that the channels tell, the latest first. */
    static List<DoneChange> of(Channels channels) {
        return Stream
                .concat(channels.replacement().map(DoneChange::of).stream(),
                        channels.changed().stream().map(DoneChange::of))
                .sorted(Comparator.comparing(DoneChange::done).reversed()).toList();
    }

    /** The last replacement of the request topics. */
    public static DoneChange of(DoneReplacement last) {
        Duration forwarding = Duration.between(last.opened(), last.done());
        Duration rest = Duration.between(last.since(), last.opened());
        Optional<Double> perSecond = Optional.of(forwarding.toMillis()).filter(millis -> millis > 0)
                .map(millis -> last.forwarded() * 1000.0 / millis);
        String text = "the request topics of generation " + last.generation()
                + " are replaced: nothing was fetched for " + Durations.format(rest) + ", " + count(last.forwarded())
                + " requests were forwarded in " + Durations.format(forwarding)
                + perSecond.map(rate -> " (" + count(Math.round(rate)) + " a second)").orElse("");
        return new DoneChange("requests", last.since(), last.done(), Optional.of(last.forwarded()), perSecond,
                Optional.of(rest), text);
    }

    private static DoneChange of(ChangedPartitions last) {
        String text = last.channel() + ": " + last.to() + " partitions instead of " + last.from() + ", done after "
                + Durations.format(Duration.between(last.since(), last.done()));
        return new DoneChange(last.channel(), last.since(), last.done(), Optional.empty(), Optional.empty(),
                Optional.empty(), text);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
