package io.trawl.coordinator.summary;

import io.trawl.coordinator.summary.Activity.Work;
import io.trawl.coordinator.summary.TallyState.RunState;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.RenderCounts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sum of one run's ledger records. The records of a run are in one partition, so an emission precedes its answer,
 * and an answer to an id that is not waiting is a duplicate and is ignored. Not thread-safe.
 */
final class RunTally {
    private static final int MOST_STRAY_SEEDS = 1000;
    /** A definition may be changed often. */
    private static final int MOST_RULES = 2000;
    private static final String NOT_MODIFIED = new Outcome.Unchanged().detail();
    private final CrawlRun run;
    private final Unanswered unanswered;
    private final Map<OutcomeKind, Long> stored = new EnumMap<>(OutcomeKind.class);
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<RefusalReason, Long> refusals = new EnumMap<>(RefusalReason.class);
    private final Map<String, Long> rules = new TreeMap<>();
    private final Set<StraySeed> straySeeds = new LinkedHashSet<>();
    private final Activity activity = new Activity();
    private final Activity byMinutes = new Activity(Activity.LONG_STEP, Activity.LONG_REACH);
    private Instant last = Instant.EPOCH;
    private long emitted;
    private long repeats;
    private long duplicates;
    private long sources;
    private long requisites;
    private long notModified;
    private long unavailable;
    private final Unanswered waitingExempt;
    private long bytes;
    /** The last order that has moved a request that waits; the first order of a run needs no note. */
    private final Map<RequestId, Integer> lastOrders = new HashMap<>();
    private final Map<Integer, Long> movedByOrder = new TreeMap<>();
    private final Set<String> domains = new HashSet<>();
    private long domainsVersion;
    private ItemCounts items = ItemCounts.NONE;
    private Optional<RenderCounts> render = Optional.empty();

    RunTally(CrawlRun run) {
        this(run, new Unanswered(), new Unanswered());
    }

    private RunTally(CrawlRun run, Unanswered unanswered, Unanswered waitingExempt) {
        this.run = run;
        this.unanswered = unanswered;
        this.waitingExempt = waitingExempt;
    }

    /** All but the ids that wait. */
    RunState state(int partition) {
        return TallyStateRunStateBuilder.builder().partition(partition).run(run).stored(stored).errors(errors)
                .refusals(refusals).rules(rules).straySeeds(List.copyOf(straySeeds)).recent(activity.bySteps())
                .minutes(byMinutes.bySteps()).last(last).emitted(emitted).repeats(repeats).duplicates(duplicates)
                .sources(sources).requisites(requisites).notModified(notModified).unavailable(unavailable).bytes(bytes)
                .lastOrders(lastOrders).movedByOrder(movedByOrder).domains(domains).domainsVersion(domainsVersion)
                .items(items).render(render).build();
    }

    /** Writes the ids that wait. */
    void writeTo(DataOutput out) throws IOException {
        unanswered.writeTo(out);
        waitingExempt.writeTo(out);
    }

    /** The same sum, of what {@link #state} has told and {@link #writeTo} has written. */
    static RunTally of(RunState state, DataInput ids) throws IOException {
        RunTally read = new RunTally(state.run(), Unanswered.readFrom(ids), Unanswered.readFrom(ids));
        read.stored.putAll(state.stored());
        read.errors.putAll(state.errors());
        read.refusals.putAll(state.refusals());
        read.rules.putAll(state.rules());
        read.straySeeds.addAll(state.straySeeds());
        read.activity.with(state.recent());
        read.byMinutes.with(state.minutes());
        read.last = state.last();
        read.emitted = state.emitted();
        read.repeats = state.repeats();
        read.duplicates = state.duplicates();
        read.sources = state.sources();
        read.requisites = state.requisites();
        read.notModified = state.notModified();
        read.unavailable = state.unavailable();
        read.bytes = state.bytes();
        read.lastOrders.putAll(state.lastOrders());
        read.movedByOrder.putAll(state.movedByOrder());
        read.domains.addAll(state.domains());
        read.domainsVersion = state.domainsVersion();
        read.items = state.items();
        read.render = state.render();
        return read;
    }

    CrawlRun run() {
        return run;
    }

    /** The time of its last record. */
    Instant last() {
        return last;
    }

    /** @return the work of the record */
    Work add(LedgerRecord ledger, Instant at, Instant now) {
        last = at.isAfter(last) ? at : last;
        Totals before = totals();
        add(ledger);
        Work work = Work.between(before, totals());
        activity.add(work, at, now);
        byMinutes.add(work, at, now);
        return work;
    }

    private void add(LedgerRecord ledger) {
        emitted += ledger.emitted().stream().filter(e -> unanswered.add(e.id(), e.priority())).count();
        ledger.exempt().stream().filter(unanswered::contains).forEach(id -> waitingExempt.add(id, 0));
        ledger.moved().forEach(this::move);
        ledger.answered().forEach(this::answer);
        ledger.refused().forEach((reason, count) -> refusals.merge(reason, (long) count, Long::sum));
        ledger.rules()
                .forEach((rule, count) -> rules.merge(
                        rules.size() < MOST_RULES || rules.containsKey(rule) ? rule : "other rules", (long) count,
                        Long::sum));
        ledger.straySeeds().stream().filter(_ -> straySeeds.size() < MOST_STRAY_SEEDS).forEach(straySeeds::add);
        bytes += ledger.bytes();
        ledger.domains().ifPresent(added -> {
            domains.addAll(added.names());
            domainsVersion = Math.max(domainsVersion, added.version());
        });
        items = ledger.items().map(items::plus).orElse(items);
        render = Stream.concat(render.stream(), ledger.render().stream()).reduce(RenderCounts::plus);
    }

    /** A process that slept may write the entry of an earlier order late: its copy is a duplicate by then. */
    private void move(MovedRequest moved) {
        if (moved.order() == MovedRequest.REPLACED) {
            unanswered.move(moved.id(), moved.priority());
            return;
        }
        if (moved.order() < lastOrders.getOrDefault(moved.id(), 0) || !unanswered.contains(moved.id())) {
            return;
        }
        if (moved.order() > 1) {
            lastOrders.put(moved.id(), moved.order());
        }
        if (unanswered.move(moved.id(), moved.priority())) {
            movedByOrder.merge(moved.order(), 1L, Long::sum);
        }
    }

    /** How many requests each order has moved. */
    Map<Integer, Long> moved() {
        return new TreeMap<>(movedByOrder);
    }

    private void answer(AnsweredRequest answer) {
        if (!unanswered.remove(answer.id())) {
            return;
        }
        lastOrders.remove(answer.id());
        waitingExempt.remove(answer.id());
        unavailable += answer.stored() && answer.unavailable() ? 1 : 0;
        if (answer.outcome() == OutcomeKind.DUPLICATE) {
            duplicates++;
        } else if (!answer.stored()) {
            repeats++;
        } else if (answer.detail().startsWith(AnsweredRequest.SOURCE)) {
            sources++;
        } else if (answer.detail().startsWith(AnsweredRequest.REQUISITE)) {
            requisites++;
        } else {
            stored.merge(answer.outcome(), 1L, Long::sum);
            detail(answer);
        }
    }

    private void detail(AnsweredRequest answer) {
        switch (answer.outcome()) {
            case HTTP_ERROR, FAILURE -> errors.merge(answer.outcome() + " " + answer.detail(), 1L, Long::sum);
            case REFUSED ->
                refusals.merge(Arrays.stream(RefusalReason.values()).filter(r -> r.name().equals(answer.detail()))
                        .findFirst().orElse(RefusalReason.OTHER), 1L, Long::sum);
            case UNCHANGED -> notModified += answer.detail().equals(NOT_MODIFIED) ? 1 : 0;
            default -> {
                // pages and redirects have no details
            }
        }
    }

    /** The domains that it accepts for its seeds. Not copied. */
    Set<String> domains() {
        return domains;
    }

    /** The version of the set of these domains; 0 for none. */
    long domainsVersion() {
        return domainsVersion;
    }

    Unanswered waiting() {
        return unanswered.copy();
    }

    boolean waits(RequestId id) {
        return unanswered.contains(id);
    }

    Pace pace(Instant since, Instant now) {
        return Pace.of(activity, since, now);
    }

    /** The work of the last minutes; see {@link Activity#steps}. */
    List<Work> minutes(Instant now, int most) {
        return byMinutes.steps(now, most);
    }

    /** Drops work that nobody asks for any more; a run that has ended adds none that would drop it. */
    void forget(Instant now) {
        activity.forget(now);
        byMinutes.forget(now);
    }

    RunSnapshot snapshot() {
        Map<Integer, Long> waiting = new TreeMap<>();
        levels().forEach((priority, counts) -> waiting.put(priority, counts.waiting()));
        waiting.values().removeIf(none -> none == 0);
        Map<String, Long> allErrors = new TreeMap<>(errors);
        items.errors().forEach((kind, count) -> allErrors.merge(kind, count, Long::sum));
        allErrors.remove(ItemCounts.ENTRY);
        return new RunSnapshot(totals(), waiting, allErrors, new TreeMap<>(refusals), new TreeMap<>(rules),
                List.copyOf(straySeeds), new TreeMap<>(items.dropped()), new TreeMap<>(items.rejected()), last);
    }

    /**
     * The number of the run's URLs in the ledger: all requests, except those whose URL another request had answered. A
     * URL that is requested twice counts twice until the second answer.
     */
    long urls() {
        return emitted - repeats - duplicates;
    }

    /** The traffic of each priority; priorities that never had a request are left out. */
    Map<Integer, LevelCounts> levels() {
        Map<Integer, LevelCounts> levels = new TreeMap<>();
        for (int priority = 0; priority < unanswered.levelsEver(); priority++) {
            long pushed = unanswered.added(priority);
            long waiting = unanswered.size(priority);
            if (pushed > 0) {
                levels.put(priority, new LevelCounts(pushed, pushed - waiting, waiting, 0));
            }
        }
        return levels;
    }

    Map<RefusalReason, Long> refusals() {
        return refusals;
    }

    Totals totals() {
        return new Totals(emitted, stored(OutcomeKind.PAGE), stored(OutcomeKind.UNCHANGED), notModified, sources,
                requisites, repeats, stored(OutcomeKind.REDIRECT), stored(OutcomeKind.HTTP_ERROR),
                stored(OutcomeKind.FAILURE), stored(OutcomeKind.REFUSED), duplicates, unanswered.size(),
                waitingExempt.size(), bytes, unavailable, items.errors().getOrDefault(ItemCounts.ENTRY, 0L), render,
                ItemTotals.of(items));
    }

    private long stored(OutcomeKind outcome) {
        return stored.getOrDefault(outcome, 0L);
    }
}
