/**
 * Extraction rules of a crawl. In: the rules of a definition, which are checked and compiled here, and a
 * {@link io.trawl.extract.PageSource}. Out: items of named types, and an error for each item that lacks a value or has
 * one of the wrong type. No I/O.
 */
@NullMarked
package io.trawl.extract;

import org.jspecify.annotations.NullMarked;
