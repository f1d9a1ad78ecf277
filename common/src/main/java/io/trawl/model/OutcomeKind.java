package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** The six ways in which a request is answered, as they are counted. */
public enum OutcomeKind {
    /** A body was received with a 2xx status. */
    PAGE,
    /** A 3xx with a target; the target is a request of its own. */
    REDIRECT,
    /** Any other status. */
    HTTP_ERROR,
    /** No usable answer within the retry budget; and whatever only a newer version knows: its request is answered, too. */
    @JsonEnumDefaultValue
    FAILURE,
    /** Not fetched, for a reason. */
    REFUSED,
    /** Not fetched, because a response at this depth or less is already in Kafka. */
    DUPLICATE
}
