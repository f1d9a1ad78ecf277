package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How a request was answered. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({@JsonSubTypes.Type(value = Outcome.Page.class, name = "PAGE"),
        @JsonSubTypes.Type(value = Outcome.Redirect.class, name = "REDIRECT"),
        @JsonSubTypes.Type(value = Outcome.HttpError.class, name = "HTTP_ERROR"),
        @JsonSubTypes.Type(value = Outcome.Failure.class, name = "FAILURE"),
        @JsonSubTypes.Type(value = Outcome.Refused.class, name = "REFUSED"),
        @JsonSubTypes.Type(value = Outcome.Duplicate.class, name = "DUPLICATE")})
public sealed interface Outcome {
    /** The kind, for counting. */
    @JsonIgnore
    OutcomeKind kind();

    /** The status, the kind of failure or the reason of refusal: what totals are broken down by. Never empty, never free text. */
    @JsonIgnore
    String detail();

    /**
     * A body with a 2xx status.
     *
     * @param truncated whether the body was cut at the body limit
     */
    record Page(int status, boolean truncated) implements Outcome {
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
     * A redirect.
     *
     * @param location as the server sent it: relative or absolute, not normalised
     */
    record Redirect(int status, String location) implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.REDIRECT;
        }

        @Override
        public String detail() {
            return Integer.toString(status);
        }
    }

    /** A status that is neither a page nor a redirect with a target. */
    record HttpError(int status) implements Outcome {
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
     * No usable answer.
     *
     * @param reason what went wrong, as a kind
     * @param cause what went wrong, in words for people
     */
    record Failure(FailureReason reason, String cause) implements Outcome {
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
     * @param reason the rule that forbade it
     * @param cause the case, in words for people
     */
    record Refused(RefusalReason reason, String cause) implements Outcome {
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
}
