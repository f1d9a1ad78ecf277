package io.trawl.api;

/** Whether an item holds the content of a page or the final error of a URL. */
public enum ItemKind {
    /** The content extracted from a page, stored in {@code items/}. */
    PAGE,
    /** The final error of a URL, stored in {@code errors/}. */
    ERROR
}
