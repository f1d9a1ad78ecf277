package io.trawl.extract.rule;

import io.trawl.model.Choice;

/** What a value of the wrong type costs in a field that an item may lack. */
public enum ErrorScope implements Choice {
    /** The value. */
    FIELD,
    /** The item. */
    ITEM
}
