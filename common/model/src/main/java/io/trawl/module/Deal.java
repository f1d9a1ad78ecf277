package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * How far a module is with a stop sign in force (S4): it deals with a sign by ending its work in flight.
 *
 * @param sign the key of the sign, or of the orders to move requests of a crawl, with which a module deals in the same
 * way
 * @param version of the sign
 * @param took how long the work in flight took to end after the module had read the sign; absent until then
 * @param inFlight the pieces of work in flight: when the module read the sign if it has dealt with it, now if it has
 * not
 * @param oldest the oldest piece that is still in flight, if the module knows its pieces by URL
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Deal(String sign, long version, Optional<Duration> took, int inFlight, Optional<Oldest> oldest) {
    /**
     * Keeps whole milliseconds.
     *
     * @throws io.trawl.model.InvalidValueException if a field is absent or out of its range
     */
    public Deal {
        FieldRules.present("sign", sign);
        FieldRules.count("version", version);
        FieldRules.count("inFlight", inFlight);
        took = took.map(t -> t.truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * A piece of work in flight.
     *
     * @param url what is fetched
     * @param age since it began
     */
    public record Oldest(String url, Duration age) {
        /** Keeps whole milliseconds. */
        public Oldest {
            age = age.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /** The module has dealt with the sign. */
    public static Deal done(String sign, long version, Duration took, int inFlight) {
        return new Deal(sign, version, Optional.of(took), inFlight, Optional.empty());
    }

    /** Work is in flight under the sign. */
    public static Deal waiting(String sign, long version, int inFlight, Optional<Oldest> oldest) {
        return new Deal(sign, version, Optional.empty(), inFlight, oldest);
    }
}
