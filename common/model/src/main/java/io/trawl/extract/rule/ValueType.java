package io.trawl.extract.rule;

import io.trawl.model.Choice;

/** What the value of a field is. */
public enum ValueType implements Choice {
    /** The text as a reader sees it, without markup. */
    TEXT,
    /** The element itself, with its tags. */
    HTML,
    /** The element as Markdown, with absolute links. */
    MARKDOWN,
    /** A decimal number. */
    NUMBER,
    /** A date, or a time in UTC, in ISO 8601. */
    DATE,
    /** An object of an amount and a currency. */
    MONEY,
    /** An absolute URL in normal form. */
    URL
}
