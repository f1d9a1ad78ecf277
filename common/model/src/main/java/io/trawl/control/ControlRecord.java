package io.trawl.control;

import io.trawl.definition.CrawlDefinition;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Request;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A record of the {@code control} topic; the latest record of a key is valid. Only the leader writes it, under one
 * transactional id and with a version that grows per key, so that readers ignore late writes of a paused old leader.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = ControlRecord.CrawlStatus.class, name = "crawl"),
        @JsonSubTypes.Type(value = ControlRecord.Deleted.class, name = "deleted"),
        @JsonSubTypes.Type(value = ControlRecord.Domains.class, name = "domains"),
        @JsonSubTypes.Type(value = StopSign.class, name = "stop"),
        @JsonSubTypes.Type(value = ControlRecord.ItemEnds.class, name = "ends"),
        @JsonSubTypes.Type(value = Channels.class, name = "channels"),
        @JsonSubTypes.Type(value = FleetSettings.class, name = "settings"),
        @JsonSubTypes.Type(value = ControlRecord.QueueMoves.class, name = "moves"),
        @JsonSubTypes.Type(value = ControlRecord.KafkaLoss.class, name = "kafka-loss"),
        @JsonSubTypes.Type(value = ControlRecord.AppliedFile.class, name = "file")})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public sealed interface ControlRecord permits ControlRecord.CrawlStatus, ControlRecord.Deleted, ControlRecord.Domains,
        ControlRecord.ItemEnds, Channels, ControlRecord.KafkaLoss, ControlRecord.AppliedFile, ControlRecord.QueueMoves,
        FleetSettings, StopSign {
    /** The record's key in the topic. */
    @JsonIgnore
    String key();

    /** Grows with every record of the key, from 1. */
    long version();

    /**
     * A crawl and its state.
     *
     * @param startedAt when it was started last
     * @param end the reason and time of the stop, while it is stopped
     * @param spent how long the run has been started in total, without the current start
     * @param scheduledUntil the scheduled times up to here have been handled; present if it has a schedule
     * @param closedAt when it was closed: it gets no new request until it is started again; what waits is still done
     * @param lastPages how many pages the last run had that is whole, this one included, if it had the same reach; 0 if
     * there is none
     * @param visits where the next visits of its pages are; empty if they are not visited again
     * @param forgottenAt when the leader gave up the facts of the run: it is over for good, like one that was replaced
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    record CrawlStatus(CrawlRun run, long version, CrawlDefinition definition, CrawlState state,
            Optional<Instant> startedAt, Optional<End> end, Duration spent, Optional<Instant> scheduledUntil,
            Optional<Instant> closedAt, Optional<Instant> forgottenAt,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long lastPages,
            Optional<RunVisits> visits) implements ControlRecord, CrawlStatusBuilder.With {
        /** @throws io.trawl.model.InvalidValueException if a field is absent or out of its range */
        public CrawlStatus {
            FieldRules.present("run", run);
            FieldRules.count("version", version);
            FieldRules.present("definition", definition);
            FieldRules.present("state", state);
            FieldRules.present("spent", spent);
            visits = visits == null ? Optional.empty() : visits;
        }

        /** A run that was never started. */
        public static CrawlStatus of(CrawlRun run, long version, CrawlDefinition definition, CrawlState state) {
            return CrawlStatusBuilder.builder().run(run).version(version).definition(definition).state(state)
                    .spent(Duration.ZERO).build();
        }

        /** The key of a crawl's status. */
        public static String key(CrawlId crawl) {
            return "crawl/" + crawl;
        }

        @Override
        @JsonIgnore
        public String key() {
            return key(run.crawl());
        }

        /** The same crawl, in the same state, with the next version. */
        public CrawlStatus next() {
            return withVersion(version + 1);
        }

        /** The same crawl with the next version and another state. */
        public CrawlStatus next(CrawlState next, Optional<Instant> started, Optional<End> ended) {
            return with(copy -> copy.version(version + 1).state(next).startedAt(started).end(ended));
        }

        /** How depths are compared. */
        public DepthMode depthMode() {
            DepthMode mode = definition.limits().depthMode();
            return refreshes() ? mode.refreshed() : mode;
        }

        /** Whether its definition has ended it, or it has nothing left to do. */
        @JsonIgnore
        public boolean overByItself() {
            return state == CrawlState.STOPPED && end.filter(why -> why.reason().byItself()).isPresent();
        }

        /** Whether it was {@link #overByItself} at a moment already. */
        public boolean overSince(Instant moment) {
            return overByItself() && end.filter(why -> why.at().isBefore(moment)).isPresent();
        }

        /**
         * The end from which its files are whole: it is finished and has not failed; or, if its pages are visited
         * again, has reached a limit.
         */
        @JsonIgnore
        public Optional<End> whole() {
            return end.filter(why -> overByItself() && !why.failed() && (finished() || visits.isPresent()));
        }

        /** The first offset of {@code visits} that it needs; empty if it needs none. */
        @JsonIgnore
        public Optional<Long> neededVisits() {
            return visits.map(its -> its.needs(overByItself()));
        }

        /** The word for its state, see {@link CrawlState#condition}. */
        public String condition() {
            return state.condition(end.map(End::reason));
        }

        /** Whether it gets no new request: seeds and links are refused. */
        @JsonIgnore
        public boolean closed() {
            return closedAt.isPresent();
        }

        /** How long the run has been started in total. */
        public Duration spentAt(Instant now) {
            return startedAt.filter(start -> state == CrawlState.STARTED)
                    .map(start -> spent.plus(Duration.between(start, now))).orElse(spent);
        }

        /** Whether it visits the pages of the run before. */
        @JsonIgnore
        public boolean refreshes() {
            return refreshed().isPresent();
        }

        /** The run whose pages it visits. */
        @JsonIgnore
        public Optional<CrawlRun> refreshed() {
            return visits.flatMap(RunVisits::source).map(of -> new CrawlRun(run.crawl(), of.epoch()));
        }

        /** What became of the visits of the run before, when they are promoted. */
        @JsonIgnore
        public Optional<PromotedVisits> promoted() {
            return visits.flatMap(RunVisits::source).flatMap(VisitSource::promoted);
        }

        /** The visits that are to be promoted before it can start. */
        @JsonIgnore
        public Optional<VisitSource> unpromoted() {
            return visits.flatMap(RunVisits::unpromoted);
        }

        /** Whether every reachable page is stored. */
        @JsonIgnore
        public boolean finished() {
            return end.filter(e -> e.reason() == EndReason.FINISHED).isPresent();
        }

        /** Whether the time of the facts of the run is over: it has ended by itself, and has them still. */
        public boolean factsExpired(Instant now) {
            return end.filter(_ -> overByItself() && forgottenAt.isEmpty())
                    .filter(e -> !e.at().plus(definition.keepFacts()).isAfter(now)).isPresent();
        }

        /** That the facts of the run are gone, and what to do, in a clause for people; empty if they are there. */
        public Optional<String> forgotten() {
            return forgottenAt.map(at -> "the facts of " + run + " are gone since " + at.truncatedTo(ChronoUnit.SECONDS)
                    + " (keepFacts), so it can fetch nothing more: begin a fresh run");
        }

        /** Whether its responses are archived: it has an archive, and is not finished. */
        public boolean archives() {
            return definition.archives() && !finished();
        }
    }

    /** Why a crawl is stopped. */
    enum EndReason {
        /** Every request is answered and everything is stored. */
        FINISHED,
        /** The page limit is reached. */
        PAGE_LIMIT,
        /** The byte limit is reached. */
        BYTE_LIMIT,
        /** The time limit is reached. */
        TIME_LIMIT,
        /** The pages of the day of its prefix's quota are spent. */
        QUOTA,
        /** A user stopped it. */
        ASKED;

        /** Whether the definition of the crawl has ended it, so that nobody needs to resume it. */
        public boolean byItself() {
            return this != ASKED && this != QUOTA;
        }
    }

    /**
     * The end of a run.
     *
     * @param failed whether it found no page, or less than half of those of the last run while requests failed: it
     * replaces no other run
     */
    record End(EndReason reason, Instant at, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean failed) {
        /** The end of a run that has not failed, or of which that is not known yet. */
        public End(EndReason reason, Instant at) {
            this(reason, at, false);
        }

        /** @throws io.trawl.model.InvalidValueException if a field is absent */
        public End {
            FieldRules.present("end.reason", reason);
            FieldRules.present("end.at", at);
        }
    }

    /**
     * A crawl that was deleted; replaces its status, so that records of its runs are never taken for those of a later
     * crawl of the same id, whose epochs continue above.
     *
     * @param run the last one
     */
    record Deleted(CrawlRun run, long version, Instant at) implements ControlRecord {
        /** @throws io.trawl.model.InvalidValueException if a field is absent or out of its range */
        public Deleted {
            FieldRules.present("run", run);
            FieldRules.count("version", version);
            FieldRules.present("at", at);
        }

        @Override
        @JsonIgnore
        public String key() {
            return CrawlStatus.key(run.crawl());
        }

        /** The keys of the crawl's other records in {@code control}; removed with it. */
        @JsonIgnore
        public List<String> keys() {
            return List.of(Domains.key(run.crawl()), StopSign.key(Optional.of(run.crawl())), ItemEnds.key(run.crawl()),
                    QueueMoves.key(run.crawl()));
        }

        /** Whether a record of one of these keys belongs to the deleted crawl, not to a later one. */
        public boolean ends(ControlRecord record) {
            return switch (record) {
                case Domains domains -> domains.run().epoch() <= run.epoch();
                case ItemEnds ends -> ends.run().epoch() <= run.epoch();
                case QueueMoves moves -> moves.run().epoch() <= run.epoch();
                case StopSign sign -> sign.version() < version;
                default -> false;
            };
        }
    }

    /** The primary domains that a run accepts; a "no" is valid only for that version of the set. */
    record Domains(CrawlRun run, long version, Set<String> domains) implements ControlRecord {
        /**
         * Copies the set.
         *
         * @throws io.trawl.model.InvalidValueException if another field is absent or out of its range
         */
        public Domains {
            FieldRules.present("run", run);
            FieldRules.count("version", version);
            domains = domains == null ? Set.of() : Set.copyOf(domains);
        }

        /** The key of a crawl's domains. */
        public static String key(CrawlId crawl) {
            return "domains/" + crawl;
        }

        @Override
        @JsonIgnore
        public String key() {
            return key(run.crawl());
        }
    }

    /**
     * The end offsets that the pipeline must store before the run counts as ended; the pipeline closes its files at
     * once.
     *
     * @param ends of {@code items}, by partition
     * @param responses of {@code responses}; empty if the crawl has no archive
     */
    record ItemEnds(CrawlRun run, long version, Map<Integer, Long> ends,
            Map<Integer, Long> responses) implements ControlRecord {
        /** The ends of a crawl without an archive. */
        public ItemEnds(CrawlRun run, long version, Map<Integer, Long> ends) {
            this(run, version, ends, Map.of());
        }

        /**
         * Copies the ends; an absent map is an empty one.
         *
         * @throws io.trawl.model.InvalidValueException if another field is absent or out of its range
         */
        public ItemEnds {
            FieldRules.present("run", run);
            FieldRules.count("version", version);
            ends = ends == null ? Map.of() : Map.copyOf(ends);
            FieldRules.counts("ends", ends.keySet());
            FieldRules.counts("ends", ends.values());
            responses = responses == null ? Map.of() : Map.copyOf(responses);
            FieldRules.counts("responses", responses.keySet());
            FieldRules.counts("responses", responses.values());
        }

        /** The key of a crawl's item ends. */
        public static String key(CrawlId crawl) {
            return "ends/" + crawl;
        }

        @Override
        @JsonIgnore
        public String key() {
            return key(run.crawl());
        }
    }

    /**
     * The crawl file that was applied last. It outlives the crawl, so that a deleted one does not come back before its
     * file changes.
     *
     * @param digest of the file, in hexadecimal digits
     */
    record AppliedFile(CrawlId crawl, long version, String digest, Instant at) implements ControlRecord {
        /** @throws io.trawl.model.InvalidValueException if a field is absent or out of its range */
        public AppliedFile {
            FieldRules.present("crawl", crawl);
            FieldRules.count("version", version);
            FieldRules.present("digest", digest);
            FieldRules.present("at", at);
        }

        /** The key of a crawl's file. */
        public static String key(CrawlId crawl) {
            return "file/" + crawl;
        }

        @Override
        @JsonIgnore
        public String key() {
            return key(crawl);
        }
    }

    /**
     * Kafka was found to have lost records. The facts in Redis that were learnt before are void, since some speak of
     * lost records: each process starts again, with other keys and groups, as if Redis had been emptied.
     *
     * @param id of this loss, random: Kafka may lose this record, too, and then the next loss must not find the keys of
     * this one
     * @param topics those that have lost records
     * @param cuts where the last losses have cut the logs, this one last
     * @param repaired whether all that the logs had at the loss is handled again, and no request is waited for that is
     * in no log
     */
    record KafkaLoss(long version, long id, Instant at, List<String> topics, List<Cut> cuts,
            boolean repaired) implements ControlRecord {
        /** The only key. */
        public static final String KEY = "kafka-loss";
        private static final int MOST_CUTS = 10;

        /**
         * Where a loss has cut the logs. @param cut by {@code topic-partition} the first offset that other records may
         * have since
         */
        public record Cut(long id, Map<String, Long> cut) {
            /** Copies the map. */
            public Cut {
                cut = cut == null ? Map.of() : Map.copyOf(cut);
            }
        }

        /**
         * Copies the collections; absent ones are empty.
         *
         * @throws io.trawl.model.InvalidValueException if the version is negative or the time is absent
         */
        public KafkaLoss {
            FieldRules.count("version", version);
            FieldRules.present("at", at);
            topics = topics == null ? List.of() : List.copyOf(topics);
            cuts = cuts == null ? List.of() : List.copyOf(cuts);
        }

        /**
         * The next loss. Its version is a time: Kafka may have lost the record of a loss that processes have read, and
         * they ignore a version that does not grow.
         */
        public static KafkaLoss after(Optional<KafkaLoss> last, Cut cut, List<String> topics, Instant at) {
            List<Cut> all = Stream.concat(last.stream().flatMap(before -> before.cuts().stream()), Stream.of(cut))
                    .toList();
            return new KafkaLoss(Math.max(at.toEpochMilli(), last.map(KafkaLoss::version).orElse(0L) + 1), cut.id(), at,
                    topics, all.subList(Math.max(0, all.size() - MOST_CUTS), all.size()), false);
        }

        /** The same when everything is handled again. */
        public KafkaLoss asRepaired() {
            return new KafkaLoss(version + 1, id, at, topics, cuts, true);
        }

        /** What people should know of it, in one sentence. */
        public String text() {
            return "Kafka has lost records of " + String.join(", ", topics) + " at "
                    + at.truncatedTo(ChronoUnit.SECONDS) + ": pages may be fetched and stored again"
                    + (repaired ? "" : "; a crawl ends when all that is left is handled again");
        }

        /** What names of keys and groups, and committed positions, carry from this loss on. */
        @JsonIgnore
        public String tag() {
            return Long.toHexString(id);
        }

        /**
         * Where a position in a partition has to go back to at most.
         *
         * @param known the tag of the last loss that the process knew which has committed it; empty if it knew none
         */
        public long limit(String partition, String known) {
            int from = 1 + cuts.stream().map(loss -> Long.toHexString(loss.id())).toList().lastIndexOf(known);
            return cuts.stream().skip(from).mapToLong(loss -> loss.cut().getOrDefault(partition, Long.MAX_VALUE)).min()
                    .orElse(Long.MAX_VALUE);
        }

        @Override
        @JsonIgnore
        public String key() {
            return KEY;
        }
    }

    /**
     * The orders to move what waits in a run to other priorities, the last ones. They name offsets, so a downloader
     * that takes a partition over carries out what its predecessor has left, and nobody needs to end an order.
     *
     * @param moves in the order in which they were given
     */
    record QueueMoves(CrawlRun run, long version, List<MoveOrder> moves) implements ControlRecord {
        /**
         * How many orders of a run are kept. An older one is carried out by then, unless downloaders were away since.
         */
        public static final int MOST = 20;

        /**
         * Copies the orders.
         *
         * @throws io.trawl.model.InvalidValueException if the run is absent, or the version is negative
         */
        public QueueMoves {
            FieldRules.present("run", run);
            FieldRules.count("version", version);
            moves = moves == null ? List.of() : List.copyOf(moves);
        }

        /** The key of a crawl's orders. */
        public static String key(CrawlId crawl) {
            return "moves/" + crawl;
        }

        @Override
        @JsonIgnore
        public String key() {
            return key(run.crawl());
        }

        /** The last order that covers a record of a request topic; it alone decides where the request waits. */
        public Optional<MoveOrder> last(int generation, int priority, int partition, long offset, String url) {
            UrlParts parts = UrlParts.of(url);
            return moves.stream()
                    .filter(move -> move.covers(generation, priority, partition, offset) && move.match().matches(parts))
                    .max(Comparator.comparingInt(MoveOrder::number));
        }
    }

    /**
     * One order.
     *
     * @param number of the order in its run, from 1
     * @param match which requests move
     * @param to the priority to which they move
     * @param generation of the request topics
     * @param until by priority and partition, the ends of the request topics when the order was given: what is written
     * later stays where it is
     * @param at when it was given
     */
    record MoveOrder(int number, UrlPattern match, int to, int generation, List<List<Long>> until, Instant at) {
        /**
         * Copies the offsets.
         *
         * @throws io.trawl.model.InvalidValueException if a field is absent or out of its range
         */
        public MoveOrder {
            FieldRules.range("moves.number", number, 1, Integer.MAX_VALUE);
            FieldRules.present("moves.match", match);
            FieldRules.range("moves.to", to, 0, Request.MOST_LEVELS - 1);
            FieldRules.present("moves.at", at);
            until = until == null ? List.of() : until.stream().map(List::copyOf).toList();
        }

        /** The end of the partition when the order was given; 0 if the order is not about it. */
        public long until(int ofGeneration, int priority, int partition) {
            return ofGeneration == generation && priority < until.size() && partition < until.get(priority).size()
                    ? until.get(priority).get(partition)
                    : 0;
        }

        boolean covers(int ofGeneration, int priority, int partition, long offset) {
            return offset < until(ofGeneration, priority, partition);
        }
    }
}
