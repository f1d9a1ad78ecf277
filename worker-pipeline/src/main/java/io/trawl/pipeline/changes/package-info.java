/**
 * In: what two finished runs of a crawl have stored, a line per item, sorted. Out: what is new, changed or gone.
 */
@NullMarked
package io.trawl.pipeline.changes;

import org.jspecify.annotations.NullMarked;
