package io.trawl.scope;

import io.trawl.model.Choice;

/** What becomes of the links of pages that are in none of the wanted languages. */
public enum OtherLanguages implements Choice {
    /** They are followed: a page in one language often leads to those in another. */
    FOLLOW,
    /** They are not followed. */
    IGNORE
}
