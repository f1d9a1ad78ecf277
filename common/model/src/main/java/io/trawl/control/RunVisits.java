package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Optional;

/**
 * Where the next visits of the pages of a run are in {@code visits}.
 *
 * @param begin the end of the topic when the run began, and in a refresh when its promotion began: those of its pages
 * stand behind it
 * @param source whose pages the run visits; empty in a run that begins with seeds
 * @param archived the id of the last loss in Kafka when the run began, 0 if there was none; empty if the run has, or
 * had for some time, no archive: then its archive may lack what the entries of its pages name
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RunVisits(long begin, Optional<VisitSource> source, Optional<Long> archived) {
    /** @throws io.trawl.model.InvalidValueException if the offset is negative */
    public RunVisits {
        FieldRules.count("visits.begin", begin);
    }

    /**
     * The run before, whose pages are visited.
     *
     * @param epoch of that run
     * @param begin the first offset of its visits
     * @param end the end of the topic when this run began: all of them stand before it
     * @param start whether this run is started when they are promoted
     * @param choice which of them this run makes
     * @param archived what that run has noted of its archive
     * @param promoted what has become of them; empty until those are requests of this run
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record VisitSource(int epoch, long begin, long end, boolean start, VisitChoice choice,
            Optional<Long> archived, Optional<PromotedVisits> promoted) {
        /** @throws io.trawl.model.InvalidValueException if a number is negative */
        public VisitSource {
            FieldRules.count("visits.source.epoch", epoch);
            FieldRules.count("visits.source.begin", begin);
            FieldRules.count("visits.source.end", end);
            choice = choice == null ? VisitChoice.ALL : choice;
        }

        private VisitSource with(PromotedVisits counts) {
            return new VisitSource(epoch, begin, end, start, choice, archived, Optional.of(counts));
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

    /** The same when the visits of the run before are requests of this one, or carried behind an offset. */
    public RunVisits promoted(long carriedFrom, PromotedVisits counts) {
        return new RunVisits(carriedFrom, source.map(of -> of.with(counts)), archived);
    }

    /** The same of a run that has no archive any more. */
    public RunVisits withoutArchive() {
        return new RunVisits(begin, source, Optional.empty());
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
