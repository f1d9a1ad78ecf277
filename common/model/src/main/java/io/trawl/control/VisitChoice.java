package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.pattern.UrlPattern;
import java.time.Instant;
import java.util.Optional;

/**
 * Which of the known pages a refresh visits. Those of the others are carried over to the next one.
 *
 * @param match their URLs; empty if all are visited
 * @param due only pages that are due at this moment; empty if all are visited, whenever they are due
 * @param most how many at most, of those that are due: those of whose visit the freshness of all gains most
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record VisitChoice(Optional<UrlPattern> match, Optional<Instant> due, Optional<Long> most) {
    /** All pages. */
    public static final VisitChoice ALL = new VisitChoice(Optional.empty(), Optional.empty(), Optional.empty());

    /** @throws io.trawl.model.InvalidValueException if the number is not positive */
    public VisitChoice {
        most.ifPresent(n -> FieldRules.range("visits.source.choice.most", n, 1, Long.MAX_VALUE));
    }
}
