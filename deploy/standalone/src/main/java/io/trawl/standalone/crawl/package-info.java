/**
 * One crawl with everything in this JVM. In: a plan made of options; out: files in an output folder that belongs to this crawl alone, and its summary.
 * Started again after an end of any kind, it goes on where it was.
 */
@NullMarked
package io.trawl.standalone.crawl;

import org.jspecify.annotations.NullMarked;
