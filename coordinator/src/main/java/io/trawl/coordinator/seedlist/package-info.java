/**
 * Lists of seeds. Input: the bytes of a file or of a call: lines, CSV, CDXJ or WARC, compressed or not. Output: one
 * seed after the other, or the fault of its place.
 */
@NullMarked
package io.trawl.coordinator.seedlist;

import org.jspecify.annotations.NullMarked;
