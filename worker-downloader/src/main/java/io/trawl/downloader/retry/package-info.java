/**
 * In: what a fetch came to and how many there were; out: whether it is the answer, or how long to wait before the next. A pure function of its
 * arguments, the settings and a source of chance.
 */
@NullMarked
package io.trawl.downloader.retry;

import org.jspecify.annotations.NullMarked;
