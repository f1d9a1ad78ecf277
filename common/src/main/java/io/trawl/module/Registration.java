package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.MID;
import java.time.Instant;
import java.util.Map;

/**
 * What a live module tells the registrar, renewed every second.
 *
 * @param mid who it is and where it answers
 * @param score its load
 * @param counts what it has done
 * @param since when it started
 * @param deals the stop signs it has dealt with: sign key to the version of the sign, set once its in-flight work under that sign is done
 * @param state a word or two for people: {@code running}, {@code waiting for redis}, {@code stopping}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Registration(MID mid, long score, Counts counts, Instant since, Map<String, Long> deals, String state) {
    /** Copies the deals. */
    public Registration {
        deals = deals == null ? Map.of() : Map.copyOf(deals);
    }
}
