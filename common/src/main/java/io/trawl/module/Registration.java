package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Counts;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.MID;
import java.time.Instant;
import java.util.Map;

/**
 * The entry of a live module in the registrar, renewed every second.
 *
 * @param mid its id and address
 * @param score its load
 * @param counts its counters
 * @param since when it started
 * @param deals the stop signs it has handled: sign key to sign version, set once its in-flight work under that sign is done
 * @param state the state of its stage
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Registration(MID mid, long score, Counts counts, Instant since, Map<String, Long> deals, StageState state) {
    /**
     * Copies the map.
     *
     * @throws io.trawl.model.InvalidValueException if another field is absent
     */
    public Registration {
        FieldRules.present("mid", mid);
        FieldRules.present("counts", counts);
        FieldRules.present("since", since);
        FieldRules.present("state", state);
        deals = deals == null ? Map.of() : Map.copyOf(deals);
    }
}
