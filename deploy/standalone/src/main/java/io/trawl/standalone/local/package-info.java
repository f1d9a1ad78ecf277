/**
 * Trying before crawling, without any server: a URL in, its links with their verdicts and its items out. One process
 * fetches politely, analyzes and runs the item processors, with the classes of the three stages.
 */
@NullMarked
package io.trawl.standalone.local;

import org.jspecify.annotations.NullMarked;
