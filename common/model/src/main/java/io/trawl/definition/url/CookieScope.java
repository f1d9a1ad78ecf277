package io.trawl.definition.url;

import io.trawl.model.Choice;

/** Which requests get the cookies that a host sets. */
public enum CookieScope implements Choice {
    /** None: they are not kept. */
    NONE,
    /** Those of the same run to the same host and port. */
    HOST
}
