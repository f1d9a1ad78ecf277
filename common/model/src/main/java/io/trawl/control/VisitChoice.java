package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.pattern.UrlPattern;
import java.time.Instant;
import java.util.Optional;

/**
 * Which of the known pages a refresh visits, and how. Those of the others are carried over to the next one.
 *
 * @param match their URLs; empty if all are visited
 * @param due only pages that are due at this moment; empty if all are visited, whenever they are due
 * @param most how many at most, of those that are due: those of whose visit the freshness of all gains most
 * @param plugins the digest of the plug-ins by which analyzers read pages, and by which those have been read that are
 * asked for only if they have changed; empty if they have none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record VisitChoice(Optional<UrlPattern> match, Optional<Instant> due, Optional<Long> most,
        Optional<String> plugins) {
    /** All pages. */
    public static final VisitChoice ALL = new VisitChoice(Optional.empty(), Optional.empty(), Optional.empty());

    /** The pages that these chose, read without plug-ins. */
    public VisitChoice(Optional<UrlPattern> match, Optional<Instant> due, Optional<Long> most) {
        this(match, due, most, Optional.empty());
    }

    /** @throws io.trawl.model.InvalidValueException if the number is not positive */
    public VisitChoice {
        most.ifPresent(n -> FieldRules.range("visits.source.choice.most", n, 1, Long.MAX_VALUE));
    }

    /** The same pages, read with these plug-ins. */
    public VisitChoice readWith(Optional<String> those) {
        return new VisitChoice(match, due, most, those);
    }
}
