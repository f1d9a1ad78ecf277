package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Optional;

/**
 * Where the next visits of the pages of a run are in {@code visits}.
 *
 * @param begin the first offset that those of its pages may have: the end of the topic when the run began, or where
 * Kafka has cut the topic since
 * @param promotion which promotion counts of those that have carried visits into the run: the offset where what it
 * wrote begins; 0 if none has
 * @param source whose pages the run visits; empty in a run that begins with seeds
 * @param archived the id of the last loss in Kafka when the run began, 0 if there was none; empty if the run has, or
 * had for some time, no archive: then its archive may lack what the entries of its pages name
 * @param plain whether no page is asked for conditionally, since Kafka has lost visits that the run was to make: their
 * pages are found again by links, and an answer that says that nothing has changed has none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RunVisits(long begin, long promotion, Optional<VisitSource> source, Optional<Long> archived,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean plain) {
    /** @throws io.trawl.model.InvalidValueException if an offset is negative */
    public RunVisits {
        FieldRules.count("visits.begin", begin);
        FieldRules.count("visits.promotion", promotion);
    }

    /** Those of a run that begins. */
    public RunVisits(long begin, Optional<VisitSource> source, Optional<Long> archived) {
        this(begin, 0, source, archived, false);
    }

    /**
     * The run before, whose pages are visited.
     *
     * @param epoch of that run
     * @param begin the first offset of its visits
     * @param promotion which has carried visits into it, as {@link RunVisits#promotion}
     * @param end the end of the topic when this run began: all of them stand before it
     * @param start whether this run is started when they are promoted
     * @param choice which of them this run makes
     * @param archived what that run has noted of its archive
     * @param promoted what has become of them; empty until those are requests of this run
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record VisitSource(int epoch, long begin, long promotion, long end, boolean start, VisitChoice choice,
            Optional<Long> archived, Optional<PromotedVisits> promoted) {
        /** @throws io.trawl.model.InvalidValueException if a number is negative */
        public VisitSource {
            FieldRules.count("visits.source.epoch", epoch);
            FieldRules.count("visits.source.begin", begin);
            FieldRules.count("visits.source.promotion", promotion);
            FieldRules.count("visits.source.end", end);
            choice = choice == null ? VisitChoice.ALL : choice;
        }

        /** @param kept what that run has kept */
        public static VisitSource of(int epoch, RunVisits kept, long end, boolean start, VisitChoice choice) {
            return new VisitSource(epoch, kept.begin, kept.promotion, end, start, choice, kept.archived,
                    Optional.empty());
        }

        private VisitSource with(PromotedVisits counts) {
            return new VisitSource(epoch, begin, promotion, end, start, choice, archived, Optional.of(counts));
        }

        private VisitSource cut(long at) {
            return new VisitSource(epoch, begin, promotion, Math.min(end, at), start, choice, archived, promoted);
        }
    }

    /**
     * What became of the visits of the run before.
     *
     * @param made how many are requests of this run
     * @param later how many are carried over to the next refresh
     * @param overdue how many of these were due
     */
    public record PromotedVisits(long made, long later, long overdue) {
        /** @throws io.trawl.model.InvalidValueException if a number is negative */
        public PromotedVisits {
            FieldRules.count("made", made);
            FieldRules.count("later", later);
            FieldRules.count("overdue", overdue);
        }
    }

    /** The same when a promotion has made the visits of the run before requests of this one, or carried them. */
    public RunVisits promoted(long by, PromotedVisits counts) {
        return new RunVisits(begin, by, source.map(of -> of.with(counts)), archived, plain);
    }

    /** The same of a run that has no archive any more. */
    public RunVisits withoutArchive() {
        return new RunVisits(begin, promotion, source, Optional.empty(), plain);
    }

    /**
     * The same when Kafka has cut the topic at an offset: what is written from now on stands there.
     *
     * @param whole whether the run has lost nothing, whatever the offset is, since it ended long before
     */
    public RunVisits cut(long at, boolean whole) {
        return new RunVisits(Math.min(begin, at), promotion, whole ? source : source.map(of -> of.cut(at)), archived,
                plain || !whole && lacks(at));
    }

    /** Whether the run may lack visits of the run before if Kafka has cut the topic at an offset. */
    public boolean lacks(long at) {
        return source.filter(of -> at <= of.end()).isPresent();
    }

    /**
     * Whether archives have what the entries of the run before name: it had its archive from its begin to its end, and
     * Kafka has lost nothing between the begins of both.
     */
    public boolean archivedBefore() {
        return archived.isPresent() && source.flatMap(VisitSource::archived).equals(archived);
    }

    /** The visits that are to be promoted before the run can start; empty if there are none. */
    public Optional<VisitSource> unpromoted() {
        return source.filter(of -> of.promoted().isEmpty());
    }

    /**
     * The first offset that the run needs.
     *
     * @param over whether it has ended: until then Kafka may lose its requests, and they are promoted again
     */
    public long needs(boolean over) {
        return source.filter(of -> !over || of.promoted().isEmpty()).map(of -> Math.min(of.begin(), begin))
                .orElse(begin);
    }
}
