/**
 * Finds hosts whose new pages stop being new: spider traps. In: the fetched pages. Out: the hosts whose requests come
 * after those of other hosts, and those for which this is over.
 */
@NullMarked
package io.trawl.downloader.trap;

import org.jspecify.annotations.NullMarked;
