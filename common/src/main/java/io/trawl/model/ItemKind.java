package io.trawl.model;

/** What an item tells: what a page held, or why there is none. */
public enum ItemKind {
    /** What was extracted from a page: goes to {@code items/}. */
    PAGE,
    /** The final error of a URL: goes to {@code errors/}. */
    ERROR
}
