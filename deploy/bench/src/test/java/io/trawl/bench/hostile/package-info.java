/** The crawl through all hostile cases, and the table of them. */
@NullMarked
package io.trawl.bench.hostile;

import org.jspecify.annotations.NullMarked;
