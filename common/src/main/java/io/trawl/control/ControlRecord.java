package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.PolitenessKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A record of the {@code control} topic: the latest of a key is what holds. Written only by the leader, under one transactional id and with a version
 * that grows per key, so that readers ignore what a paused old leader wrote late.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = ControlRecord.CrawlStatus.class, name = "crawl"),
        @JsonSubTypes.Type(value = ControlRecord.Deleted.class, name = "deleted"),
        @JsonSubTypes.Type(value = ControlRecord.Domains.class, name = "domains"),
        @JsonSubTypes.Type(value = ControlRecord.StopSign.class, name = "stop"),
        @JsonSubTypes.Type(value = ControlRecord.ItemEnds.class, name = "ends"),
        @JsonSubTypes.Type(value = ControlRecord.Channels.class, name = "channels")})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public sealed interface ControlRecord {
    /** The record's key in the topic. */
    @JsonIgnore
    String key();

    /** Grows with every record of the key, from 1. */
    long version();

    /**
     * A crawl and its state.
     *
     * @param seedsEnd the end of {@code seeds} when the definition's seeds were acknowledged: the crawl is not judged finished before they are admitted
     * @param startedAt when it was started last
     * @param end why and when it stopped, while it is stopped
     * @param spent for how long the run was started, all starts together, without the present one while it is started
     * @param scheduledUntil the firings of its schedule up to here have been dealt with; there if it has a schedule
     */
    record CrawlStatus(CrawlRun run, long version, CrawlDefinition definition, CrawlState state, long seedsEnd,
            Optional<Instant> startedAt,
            Optional<End> end, Duration spent, Optional<Instant> scheduledUntil) implements ControlRecord {
        /** Fills in what records of old versions do not say. */
        public CrawlStatus {
            spent = spent == null ? Duration.ZERO : spent;
        }

        /** A run without a schedule that has spent no time. */
        public CrawlStatus(CrawlRun run, long version, CrawlDefinition definition, CrawlState state, long seedsEnd,
                Optional<Instant> startedAt, Optional<End> end) {
            this(run, version, definition, state, seedsEnd, startedAt, end, Duration.ZERO, Optional.empty());
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

        /** The same crawl with the next version and another state. */
        public CrawlStatus next(CrawlState next, Optional<Instant> started, Optional<End> ended) {
            return new CrawlStatus(run, version + 1, definition, next, seedsEnd, started, ended, spent, scheduledUntil);
        }

        /** The same record with the firings of its schedule dealt with up to a moment. */
        public CrawlStatus scheduledUntil(Instant moment) {
            return new CrawlStatus(run, version, definition, state, seedsEnd, startedAt, end, spent, Optional.of(moment));
        }

        /** The same record after so much time altogether. */
        public CrawlStatus spent(Duration altogether) {
            return new CrawlStatus(run, version, definition, state, seedsEnd, startedAt, end, altogether, scheduledUntil);
        }

        /** For how long the run has been started, all starts together. */
        public Duration spentAt(Instant now) {
            return startedAt.filter(start -> state == CrawlState.STARTED).map(start -> spent.plus(Duration.between(start, now)))
                    .orElse(spent);
        }

        /** Whether every reachable page is stored. */
        @JsonIgnore
        public boolean finished() {
            return end.filter(e -> e.reason() == EndReason.FINISHED).isPresent();
        }
    }

    /** Why a crawl is stopped. */
    enum EndReason {
        /** Every request is answered and everything is stored. */
        FINISHED,
        /** The limit of pages is reached. */
        PAGE_LIMIT,
        /** The limit of bytes is reached. */
        BYTE_LIMIT,
        /** The limit of time is reached. */
        TIME_LIMIT,
        /** Somebody asked for it. */
        ASKED
    }

    /** The end of a run. */
    record End(EndReason reason, Instant at) {}

    /**
     * A crawl that was deleted; takes the place of its status, so that nothing of its runs is ever taken for part of a later crawl of the same id, whose
     * epochs begin above.
     *
     * @param run the last one
     */
    record Deleted(CrawlRun run, long version, Instant at) implements ControlRecord {
        @Override
        @JsonIgnore
        public String key() {
            return CrawlStatus.key(run.crawl());
        }

        /** The keys of all else that the crawl had in {@code control}; removed with it. */
        @JsonIgnore
        public List<String> keys() {
            return List.of(Domains.key(run.crawl()), StopSign.key(Optional.of(run.crawl())), ItemEnds.key(run.crawl()));
        }

        /** Whether a record of one of these keys is of the deleted crawl, and not of a later one. */
        public boolean ends(ControlRecord record) {
            return switch (record) {
                case Domains domains -> domains.run().epoch() <= run.epoch();
                case ItemEnds ends -> ends.run().epoch() <= run.epoch();
                case StopSign sign -> sign.version() < version;
                default -> false;
            };
        }
    }

    /** The primary domains that a run accepts; a "no" holds only for the version of the set that was asked. */
    record Domains(CrawlRun run, long version, Set<String> domains) implements ControlRecord {
        /** Copies the set. */
        public Domains {
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
     * A stop sign (S4), for one crawl or, if {@code crawl} is empty, for the whole fleet.
     *
     * @param version that of a crawl's sign is the version of the status that was written with it, so that it grows even when a crawl is deleted and
     *        defined again
     * @param signed whether it stands; false after a reset
     */
    record StopSign(Optional<CrawlId> crawl, long version, boolean signed, Instant at) implements ControlRecord {
        /** The key of the stop sign of a crawl, or of the fleet. */
        public static String key(Optional<CrawlId> crawl) {
            return "stop/" + crawl.map(CrawlId::value).orElse("*");
        }

        @Override
        @JsonIgnore
        public String key() {
            return key(crawl);
        }
    }

    /** The ends of {@code items}, by partition, that the pipeline must have stored before the run counts as ended: it closes its files at once. */
    record ItemEnds(CrawlRun run, long version, Map<Integer, Long> ends) implements ControlRecord {
        /** Copies the ends. */
        public ItemEnds {
            ends = Map.copyOf(ends);
        }

        /** The key of a crawl's noted ends. */
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
     * Which request topics there are.
     *
     * @param generation grows when the request topics are replaced; part of their names
     * @param levels the number of priorities, 1 to 10
     * @param partitions of each request topic
     * @param politeness what requests are keyed by, in the whole fleet and for as long as these topics are there; records of old versions do not say it:
     *        they mean the host
     */
    record Channels(long version, int generation, int levels, int partitions, PolitenessKey politeness) implements ControlRecord {
        /** The one key. */
        public static final String KEY = "channels";

        /** Fills in the default. */
        public Channels {
            politeness = politeness == null ? PolitenessKey.HOST : politeness;
        }

        /** Request topics that are keyed by host. */
        public Channels(long version, int generation, int levels, int partitions) {
            this(version, generation, levels, partitions, PolitenessKey.HOST);
        }

        @Override
        @JsonIgnore
        public String key() {
            return KEY;
        }
    }
}
