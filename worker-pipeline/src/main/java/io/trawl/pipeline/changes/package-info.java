/**
 * In: what finished runs of a crawl have stored, a line per item, sorted. Out: what is new, changed or gone, and the
 * items that there are.
 */
@NullMarked
package io.trawl.pipeline.changes;

import org.jspecify.annotations.NullMarked;
