/**
 * Errors (S9), which every stage reports, and events of crawls. Input: control records before they are written; each
 * change of a crawl's state becomes an event in the same transaction. Every coordinator reads both topics without a
 * group and keeps the last records, bounded in number and size. Output: lists, by crawl, kind and host, and live
 * streams in which a slow subscriber does not delay others.
 */
@NullMarked
package io.trawl.coordinator.feed;

import org.jspecify.annotations.NullMarked;
