package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Optional;
import java.util.Set;

/** How a request was answered. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({@JsonSubTypes.Type(value = Outcome.Success.class, name = "PAGE"),
        @JsonSubTypes.Type(value = Outcome.Unchanged.class, name = "UNCHANGED"),
        @JsonSubTypes.Type(value = Outcome.Redirect.class, name = "REDIRECT"),
        @JsonSubTypes.Type(value = Outcome.HttpError.class, name = "HTTP_ERROR"),
        @JsonSubTypes.Type(value = Outcome.Failure.class, name = "FAILURE"),
        @JsonSubTypes.Type(value = Outcome.Refused.class, name = "REFUSED"),
        @JsonSubTypes.Type(value = Outcome.Duplicate.class, name = "DUPLICATE")})
public sealed interface Outcome {
    /** The kind, for counting. */
    @JsonIgnore
    OutcomeKind kind();

    /**
     * The status, the kind of failure or the reason of refusal: the key by which totals are broken down. Never empty,
     * never free text.
     */
    @JsonIgnore
    String detail();

    /** RFC 9110, section 15: three digits. */
    private static void checkStatus(int status) {
        FieldRules.range("status", status, 100, 999);
    }

    /** How the compressed form of a body is damaged of which is kept what was decoded; the worst comes last. */
    enum Damage {
        /** All of it was decoded; the checksum behind it is missing or wrong. */
        CHECKSUM,
        /** It breaks off, or is broken from some place on; or a damage that only a newer version knows. */
        @JsonEnumDefaultValue
        CODING
    }

    /**
     * A body with a 2xx status.
     *
     * @param truncated whether the body may lack its end: it was cut at the body limit, or its compressed form is
     * damaged
     * @param damage that of its compressed form; empty if there is none
     */
    record Success(int status, boolean truncated,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Damage> damage) implements Outcome {
        /** @throws InvalidValueException if the status is not one of HTTP */
        public Success {
            checkStatus(status);
        }

        /** A body whose compressed form, if it has one, is whole. */
        public Success(int status, boolean truncated) {
            this(status, truncated, Optional.empty());
        }

        @Override
        public OutcomeKind kind() {
            return OutcomeKind.PAGE;
        }

        @Override
        public String detail() {
            return Integer.toString(status);
        }
    }

    /**
     * The page is as it was at its last visit: 304 to a request with the validators of then (RFC 9110, section 15.4.5).
     */
    record Unchanged() implements Outcome {
        /** The status that says so. */
        public static final int STATUS = 304;

        @Override
        public OutcomeKind kind() {
            return OutcomeKind.UNCHANGED;
        }

        @Override
        public String detail() {
            return Integer.toString(STATUS);
        }
    }

    /**
     * What was kept of the cookies of a host, as digests, which tell whether anything has changed.
     *
     * @param asked when the request was sent
     * @param answered when its answer had come
     */
    record CookieStates(String asked, String answered) {
        /** @throws InvalidValueException if one is absent */
        public CookieStates {
            FieldRules.present("asked", asked);
            FieldRules.present("answered", answered);
        }
    }

    /**
     * A redirect.
     *
     * @param location as the server sent it: relative or absolute, not normalised
     * @param cookies those that the crawl keeps for the host; empty if it keeps none
     */
    record Redirect(int status, String location,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<CookieStates> cookies) implements Outcome {
        /** @throws InvalidValueException if the status is not one of HTTP, or the location is absent */
        public Redirect {
            checkStatus(status);
            FieldRules.present("location", location);
        }

        /** A redirect of a host for which no cookies are kept. */
        public Redirect(int status, String location) {
            this(status, location, Optional.empty());
        }

        @Override
        public OutcomeKind kind() {
            return OutcomeKind.REDIRECT;
        }

        @Override
        public String detail() {
            return Integer.toString(status);
        }
    }

    /** A status other than 2xx or a redirect with a target. */
    record HttpError(int status) implements Outcome {
        /** The statuses that say that there is no such page; all others may be errors of the server. */
        public static final Set<Integer> GONE = Set.of(404, 410);

        /** @throws InvalidValueException if the status is not one of HTTP */
        public HttpError {
            checkStatus(status);
        }

        @Override
        public OutcomeKind kind() {
            return OutcomeKind.HTTP_ERROR;
        }

        @Override
        public String detail() {
            return Integer.toString(status);
        }
    }

    /**
     * No usable response.
     *
     * @param reason the kind of failure
     * @param cause an explanation for people
     */
    record Failure(FailureReason reason, String cause) implements Outcome {
        /** @throws InvalidValueException if the reason is absent */
        public Failure {
            FieldRules.present("reason", reason);
            cause = cause == null ? "" : cause;
        }

        @Override
        public OutcomeKind kind() {
            return OutcomeKind.FAILURE;
        }

        @Override
        public String detail() {
            return reason.name();
        }
    }

    /**
     * Not fetched.
     *
     * @param reason the rule that refused it
     * @param cause an explanation for people
     * @param rule the rule of the definition that spoke; empty if none did
     */
    record Refused(RefusalReason reason, String cause,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> rule) implements Outcome {
        /** A refusal by what holds for every crawl. */
        public Refused(RefusalReason reason, String cause) {
            this(reason, cause, Optional.empty());
        }

        /** @throws InvalidValueException if the reason is absent */
        public Refused {
            FieldRules.present("reason", reason);
            cause = cause == null ? "" : cause;
        }

        @Override
        public OutcomeKind kind() {
            return OutcomeKind.REFUSED;
        }

        @Override
        public String detail() {
            return reason.name();
        }
    }

    /** A response at this depth or less is already in Kafka. */
    record Duplicate() implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.DUPLICATE;
        }

        @Override
        public String detail() {
            return kind().name();
        }
    }

    /** The seven ways in which a request is answered, as they are counted. */
    enum OutcomeKind {
        /** A body was received with a 2xx status. */
        PAGE,
        /** The page is as it was at its last visit. */
        UNCHANGED,
        /** A 3xx with a target; the target is a request of its own. */
        REDIRECT,
        /** Any other status. */
        HTTP_ERROR,
        /**
         * No usable response within the retry budget; or an outcome that only a newer version knows, since its request
         * is answered, too.
         */
        @JsonEnumDefaultValue
        FAILURE,
        /** Not fetched, for a reason. */
        REFUSED,
        /** Not fetched, because a response at this depth or less is already in Kafka. */
        DUPLICATE
    }
}
