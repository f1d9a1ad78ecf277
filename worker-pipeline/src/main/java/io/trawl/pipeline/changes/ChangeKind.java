package io.trawl.pipeline.changes;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a key differs between two runs. */
public enum ChangeKind {
    /** An item that the run before has not. */
    NEW,
    /** An item with another content. */
    CHANGED,
    /** An item of which only the text has changed, and hardly; only a refresh can say so. */
    TOUCHED,
    /** Was an item; its page answers 404 or 410, or is stored without it. */
    GONE,
    /** An item whose page was gone, or had moved, in the run before. */
    BACK,
    /** Was an item; its URL redirects to another one, or permanently. */
    MOVED,
    /** Was an item; its page could not be fetched. */
    FAILED,
    /** Was an item; the run has neither stored its page nor an error of it. */
    UNLINKED;

    /** As it is written. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
