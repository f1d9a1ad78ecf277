package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.MID;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a deployment remembers of its stop signs (S4): who set and reset them, and who dealt with them, also after that
 * module has left. It is for people: no decision rests on it, and it is gone with the data of Redis. Thread-safe; calls
 * block and throw {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface StopSignHistory {
    /** The number of notes that are kept. */
    int MOST = 5000;

    /** Adds a note; the oldest ones beyond {@link #MOST} are dropped. */
    void add(StopSignNote note);

    /** All notes, the newest first. */
    List<StopSignNote> all();

    /** A note about one version of a stop sign. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "what")
    @JsonSubTypes({@JsonSubTypes.Type(value = Changed.class, name = "changed"),
            @JsonSubTypes.Type(value = Dealt.class, name = "dealt")})
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    sealed interface StopSignNote {
        /** The key of the sign. */
        String sign();

        /** Of the sign: grows with each set and reset. */
        long version();

        /** When it happened. */
        Instant at();
    }

    /** @param signed whether the sign was set; false if it was reset */
    record Changed(String sign, long version, Instant at, boolean signed) implements StopSignNote {
        /** @throws io.trawl.model.InvalidValueException if a field is absent */
        public Changed {
            FieldRules.present("sign", sign);
            FieldRules.present("at", at);
        }
    }

    /**
     * A module has dealt with a sign.
     *
     * @param took how long its work in flight took to end
     * @param inFlight the pieces of work that were in flight when it read the sign
     */
    record Dealt(String sign, long version, Instant at, MID mid, Duration took, int inFlight) implements StopSignNote {
        /** @throws io.trawl.model.InvalidValueException if a field is absent */
        public Dealt {
            FieldRules.present("sign", sign);
            FieldRules.present("at", at);
            FieldRules.present("mid", mid);
            FieldRules.present("took", took);
        }
    }
}
