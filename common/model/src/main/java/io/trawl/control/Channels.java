package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.ledger.ResponseLayout;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which request topics there are, and how many partitions of each topic carry records. An operator may add partitions;
 * these counts stay.
 *
 * @param generation grows when the request topics are replaced; part of their names
 * @param levels the number of priorities, 1 to 10
 * @param partitions of each request topic
 * @param politeness the key of requests, for the whole fleet and the lifetime of these topics
 * @param responses the partitions of {@code responses} that responses are written to
 * @param items the partitions of {@code items} that items are written to
 * @param ledger the partitions of {@code ledger} for runs that begin
 * @param formerItems to how many partitions items were written before, in the order of time: all that were ever written
 * to are read
 * @param formerLedgers those of runs that began before, in the order of time
 * @param replaced present while the request topics of this generation replace those of another one
 * @param replacement the last one that is done; for people
 * @param layout of responses; empty while it is the first one
 * @param changed the last change of the partitions of each other topic that is done; for people
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Channels(long version, int generation, int levels, int partitions, PolitenessKey politeness,
        int responses, int items, int ledger, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> formerItems,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FormerLedger> formerLedgers, Optional<Replaced> replaced,
        Optional<DoneReplacement> replacement, Optional<ResponseLayout> layout,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ChangedPartitions> changed)
        implements
            ControlRecord,
            ChannelsBuilder.With {
    /** The only key. */
    public static final String KEY = "channels";
    /** The first generation of request topics of a deployment. */
    public static final int FIRST_GENERATION = 1;

    private static final int MOST = 1_000_000;

    /** @throws io.trawl.model.InvalidValueException if the politeness key is absent, or a number is out of its range */
    public Channels {
        FieldRules.count("version", version);
        FieldRules.range("generation", generation, FIRST_GENERATION, MOST);
        FieldRules.range("levels", levels, 1, Request.MOST_LEVELS);
        FieldRules.range("partitions", partitions, 1, MOST);
        FieldRules.present("politeness", politeness);
        FieldRules.range("responses", responses, 1, MOST);
        FieldRules.range("items", items, 1, MOST);
        FieldRules.range("ledger", ledger, 1, MOST);
        formerItems = formerItems == null ? List.of() : List.copyOf(formerItems);
        formerItems.forEach(count -> FieldRules.range("formerItems", count, 1, MOST));
        formerLedgers = formerLedgers == null ? List.of() : List.copyOf(formerLedgers);
        changed = changed == null ? List.of() : List.copyOf(changed);
    }

    /**
     * To how many partitions {@code ledger} was written before.
     *
     * @param lastRuns the crawls of which runs began then, each with the epoch of the last one
     */
    public record FormerLedger(int partitions,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> lastRuns) {
        /** @throws io.trawl.model.InvalidValueException if the number is out of its range */
        public FormerLedger {
            FieldRules.range("formerLedgers.partitions", partitions, 1, MOST);
            lastRuns = lastRuns == null ? Map.of() : Map.copyOf(lastRuns);
        }

        private boolean has(CrawlRun run) {
            return lastRuns.getOrDefault(run.crawl().value(), 0) >= run.epoch();
        }
    }

    /**
     * Request topics whose requests are forwarded to those of the next generation. Nothing is fetched from them any
     * more.
     *
     * @param levels the number of their priorities
     * @param partitions of each of them
     * @param since when the change was decided
     * @param opened since when no downloader fetches from them any more, so that those of the next generation are
     * served
     * @param waiting the backlog of each priority when the change was decided, from 0; for people
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Replaced(int generation, int levels, int partitions, Instant since, Optional<Instant> opened,
            List<Long> waiting) {
        /** @throws io.trawl.model.InvalidValueException if a number is out of its range */
        public Replaced {
            FieldRules.range("replaced.generation", generation, FIRST_GENERATION, MOST);
            FieldRules.range("replaced.levels", levels, 1, Request.MOST_LEVELS);
            FieldRules.range("replaced.partitions", partitions, 1, MOST);
            FieldRules.present("replaced.since", since);
            waiting = waiting == null ? List.of() : List.copyOf(waiting);
            FieldRules.counts("replaced.waiting", waiting);
        }

        private Replaced openedAt(Instant at) {
            return new Replaced(generation, levels, partitions, since, Optional.of(at), waiting);
        }
    }

    /**
     * A replacement that is done.
     *
     * @param generation that was replaced
     * @param forwarded the requests that were forwarded, by the leader that has completed it
     * @param since when it was decided
     * @param opened when the new topics were served
     * @param done when nothing was left in the old ones
     */
    public record DoneReplacement(int generation, long forwarded, Instant since, Instant opened, Instant done) {
        /** @throws io.trawl.model.InvalidValueException if a value is missing or out of its range */
        public DoneReplacement {
            FieldRules.range("replacement.generation", generation, FIRST_GENERATION, MOST);
            FieldRules.count("replacement.forwarded", forwarded);
            FieldRules.present("replacement.since", since);
            FieldRules.present("replacement.opened", opened);
            FieldRules.present("replacement.done", done);
        }
    }

    /** The same record, which says that a change is done. */
    public Channels noting(ChangedPartitions change) {
        return withChanged(Stream
                .concat(changed.stream().filter(known -> !known.channel().equals(change.channel())), Stream.of(change))
                .toList());
    }

    /** The same record, of the next version, whose items are written to so many partitions. */
    public Channels writingItemsTo(int count) {
        return next(copy -> copy.items(count).formerItems(itemCounts()));
    }

    /** To how many partitions items are and were written, in the order of time. */
    @JsonIgnore
    public List<Integer> itemCounts() {
        return Stream.concat(formerItems.stream(), Stream.of(items)).toList();
    }

    /** How many partitions of {@code items} are read: all that items have ever been written to. */
    @JsonIgnore
    public int readItems() {
        return itemCounts().stream().reduce(0, Math::max);
    }

    /**
     * The same record, of the next version, with other partitions of {@code ledger} for runs that begin.
     *
     * @param last the last run of each crawl, also of deleted ones: a process that slept may know them yet. None may
     * begin before this record is written
     */
    public Channels writingLedgerTo(int count, Collection<CrawlRun> last) {
        Map<String, Integer> begun = last.stream()
                .filter(run -> formerLedgers.stream().noneMatch(former -> former.has(run)))
                .collect(Collectors.toMap(run -> run.crawl().value(), CrawlRun::epoch));
        return next(copy -> copy.ledger(count).formerLedgers(
                Stream.concat(formerLedgers.stream(), Stream.of(new FormerLedger(ledger, begun))).toList()));
    }

    /** The same record without the runs of former ledgers, for a summary: they may be many, and of other teams. */
    public Channels withoutRuns() {
        return withFormerLedgers(
                formerLedgers.stream().map(former -> new FormerLedger(former.partitions(), Map.of())).toList());
    }

    /** The partitions of {@code ledger} among which that of a run is chosen: the count under which it began. */
    public int ledgerPartitions(CrawlRun run) {
        return formerLedgers.stream().filter(former -> former.has(run)).findFirst().map(FormerLedger::partitions)
                .orElse(ledger);
    }

    /** How many partitions of {@code ledger} are read: all that it has ever been written to. */
    @JsonIgnore
    public int readLedger() {
        return formerLedgers.stream().map(FormerLedger::partitions).reduce(ledger, Math::max);
    }

    /** How responses are laid out. */
    @JsonIgnore
    public ResponseLayout responseLayout() {
        return layout.orElse(ResponseLayout.FIRST);
    }

    /** To how many partitions responses are and were written, in the order of time. */
    @JsonIgnore
    public List<Integer> responseCounts() {
        return Stream.concat(responseLayout().former().stream(), Stream.of(responses)).toList();
    }

    /** How many partitions of {@code responses} are read: all that responses have ever been written to. */
    @JsonIgnore
    public int readResponses() {
        return responseCounts().stream().reduce(0, Math::max);
    }

    /** The same record, of the next version, which says that the layout of responses ends. */
    public Channels closingResponses(int count, Instant at) {
        return laying(responses, responseLayout().closingFor(count, at));
    }

    /**
     * The same record, of the next version, with the layout that was decided.
     *
     * @param ends of all partitions that are read, which were asked for after the present one was said to end
     */
    public Channels openingResponses(List<Long> ends) {
        int count = responseLayout().closing().orElseThrow().partitions();
        return laying(count, responseLayout().next(responses, ends));
    }

    /** The same record, of the next version, when what counts of the layout before is handled. */
    public Channels responsesHandled() {
        return laying(responses, responseLayout().alone());
    }

    private Channels laying(int count, ResponseLayout next) {
        return next(copy -> copy.responses(count).layout(Optional.of(next)));
    }

    private Channels next(Consumer<ChannelsBuilder> change) {
        return withVersion(version + 1).with(change);
    }

    /** The same record, of the next version, with request topics of this generation, which replace the present ones. */
    public Channels replacedBy(int next, int nextLevels, int nextPartitions, Instant at, List<Long> waiting) {
        Replaced old = new Replaced(generation, levels, partitions, at, Optional.empty(), waiting);
        return next(
                copy -> copy.generation(next).levels(nextLevels).partitions(nextPartitions).replaced(Optional.of(old)));
    }

    /** The same record, of the next version, whose request topics are served. */
    public Channels open(Instant at) {
        return next(copy -> copy.replaced(replaced.map(old -> old.openedAt(at))));
    }

    /** The same record, of the next version, without the topics that were replaced. */
    public Channels replacementDone(long forwarded, Instant at) {
        return next(copy -> copy.replaced(Optional.empty()).replacement(replaced.map(
                old -> new DoneReplacement(old.generation(), forwarded, old.since(), old.opened().orElse(at), at))));
    }

    /** Whether downloaders serve the request topics. */
    @JsonIgnore
    public boolean served() {
        return replaced.map(old -> old.opened().isPresent()).orElse(true);
    }

    /** The request topics in which requests may wait: first these, then those that they replace. */
    @JsonIgnore
    public List<Channels> waiting() {
        return Stream.concat(Stream.of(this), replacedChannels().stream()).toList();
    }

    /** The topics that are replaced, as they were. */
    @JsonIgnore
    public Optional<Channels> replacedChannels() {
        return replaced.map(old -> with(copy -> copy.generation(old.generation()).levels(old.levels())
                .partitions(old.partitions()).replaced(Optional.empty()).replacement(Optional.empty())));
    }

    /** The priority of the topic for requests of this priority: those of a level that is gone go to the highest. */
    public int level(int priority) {
        return Math.min(priority, levels - 1);
    }

    @Override
    @JsonIgnore
    public String key() {
        return KEY;
    }
}
