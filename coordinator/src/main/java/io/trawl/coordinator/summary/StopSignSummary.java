package io.trawl.coordinator.summary;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import io.trawl.module.Deal;
import io.trawl.module.Deal.Oldest;
import io.trawl.module.Registration;
import io.trawl.module.StopSignHistory.Changed;
import io.trawl.module.StopSignHistory.Dealt;
import io.trawl.module.StopSignHistory.StopSignNote;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A stop sign, the modules that have dealt with it, and those that have not (S4). A module deals once with each sign,
 * when its work in flight under the sign is done. A module whose lease has expired is not waited for; what it dealt
 * with stays counted.
 *
 * @param crawl the crawl of the sign, if it is one of a crawl
 * @param host the host of the sign, if it is one of a host; the fleet's has none of the three
 * @param module the module of the sign, if it is one of a module
 * @param version grows with each set and reset; 0: never set
 * @param at the time of the last set or reset
 * @param dealTotal how many modules have dealt with the sign, also those that have left
 * @param deals these modules, in the order of the time
 * @param waiting the live modules that have not dealt with the sign, and why
 * @param complete whether the sign is set and every live module has dealt with it
 * @param history its sets and resets, the newest first, as far as they are remembered; only in the answer about one
 * sign
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record StopSignSummary(Optional<CrawlId> crawl, Optional<String> host, Optional<MID> module, long version,
        boolean signed, Optional<Instant> at, int dealTotal, List<DealtModule> deals, List<WaitingModule> waiting,
        boolean complete, Optional<List<PastSign>> history) {
    /** Fills in fields that a coordinator of another version does not report. */
    public StopSignSummary {
        deals = requireNonNullElse(deals, List.of());
        waiting = requireNonNullElse(waiting, List.of());
    }

    /**
     * A module that has dealt with the sign. The time and what follows it are absent if Redis has lost them.
     *
     * @param mid the module
     * @param live whether it is registered now
     * @param times how often it has dealt with this scope's signs, as far as it is remembered
     * @param at when it had dealt with the sign
     * @param took how long its work in flight took to end after it had read the sign
     * @param inFlight the pieces of work in flight when it read the sign
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record DealtModule(MID mid, boolean live, int times, Optional<Instant> at, Optional<Duration> took,
            Optional<Integer> inFlight) {}

    /**
     * A live module that has not dealt with the sign.
     *
     * @param mid the module
     * @param inFlight the pieces of work in flight under the sign; absent if it has not reported that it has read the
     * sign
     * @param oldest the oldest of them, if the module knows it
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record WaitingModule(MID mid, Optional<Integer> inFlight, Optional<Oldest> oldest) {}

    /**
     * A set or reset.
     *
     * @param deals the modules that dealt with it
     * @param slowest the longest time that one of them took
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PastSign(long version, boolean signed, Instant at, int deals, Optional<Duration> slowest) {}

    /** A sign that was never set. */
    public static StopSignSummary unsigned(SignScope scope) {
        return new StopSignSummary(scope.crawl(), scope.host(), scope.module(), 0, false, Optional.empty(), 0,
                List.of(), List.of(), false, Optional.empty());
    }

    /** A sign, the live modules, and what is remembered of all signs. */
    public static StopSignSummary of(StopSign sign, List<Registration> all, List<StopSignNote> notes) {
        List<Registration> live = all.stream().filter(module -> sign.scope().concerns(module.mid())).toList();
        if (!sign.signed()) {
            return new StopSignSummary(sign.crawl(), sign.host(), sign.module(), sign.version(), false,
                    Optional.of(sign.at()), 0, List.of(), List.of(), false, Optional.empty());
        }
        List<Dealt> dealt = notes.stream().filter(Dealt.class::isInstance).map(Dealt.class::cast)
                .filter(note -> note.sign().equals(sign.key())).toList();
        List<DealtModule> deals = deals(sign, live, dealt);
        List<WaitingModule> waiting = live.stream().filter(module -> !drained(module, sign))
                .map(module -> waiting(module, sign)).toList();
        return new StopSignSummary(sign.crawl(), sign.host(), sign.module(), sign.version(), true,
                Optional.of(sign.at()), deals.size(), deals, waiting, waiting.isEmpty(), Optional.empty());
    }

    /** What it stops. */
    @JsonIgnore
    public SignScope scope() {
        return new SignScope(crawl, host, module);
    }

    /** The same with the history of the sign of this key. */
    public StopSignSummary withHistory(String key, List<StopSignNote> notes) {
        List<PastSign> past = notes.stream().filter(Changed.class::isInstance).map(Changed.class::cast)
                .filter(note -> note.sign().equals(key)).sorted(Comparator.comparingLong(Changed::version).reversed())
                .map(note -> past(note, notes)).toList();
        return new StopSignSummary(crawl, host, module, version, signed, at, dealTotal, deals, waiting, complete,
                Optional.of(past));
    }

    private static PastSign past(Changed changed, List<StopSignNote> notes) {
        List<Duration> took = notes.stream().filter(Dealt.class::isInstance).map(Dealt.class::cast)
                .filter(note -> note.sign().equals(changed.sign()) && note.version() == changed.version())
                .map(Dealt::took).toList();
        return new PastSign(changed.version(), changed.signed(), changed.at(), took.size(),
                took.stream().max(Comparator.naturalOrder()));
    }

    private static List<DealtModule> deals(StopSign sign, List<Registration> live, List<Dealt> dealt) {
        Predicate<MID> isLive = mid -> live.stream().anyMatch(module -> module.mid().equals(mid));
        List<DealtModule> deals = new ArrayList<>();
        dealt.stream().filter(note -> note.version() == sign.version()).sorted(Comparator.comparing(Dealt::at))
                .forEach(note -> deals.add(new DealtModule(note.mid(), isLive.test(note.mid()),
                        Math.toIntExact(dealt.stream().filter(other -> other.mid().equals(note.mid())).count()),
                        Optional.of(note.at()), Optional.of(note.took()), Optional.of(note.inFlight()))));
        Stream<MID> unnoted = live.stream().filter(module -> drained(module, sign)).map(Registration::mid)
                .filter(mid -> deals.stream().noneMatch(deal -> deal.mid().equals(mid)));
        deals.addAll(
                unnoted.map(mid -> new DealtModule(mid, true, 1, Optional.empty(), Optional.empty(), Optional.empty()))
                        .toList());
        return deals;
    }

    private static WaitingModule waiting(Registration module, StopSign sign) {
        Optional<Deal> deal = module.draining().stream()
                .filter(d -> d.sign().equals(sign.key()) && d.version() == sign.version()).findFirst();
        return new WaitingModule(module.mid(), deal.map(Deal::inFlight), deal.flatMap(Deal::oldest));
    }

    private static boolean drained(Registration module, StopSign sign) {
        return module.deals().getOrDefault(sign.key(), 0L) >= sign.version();
    }
}
