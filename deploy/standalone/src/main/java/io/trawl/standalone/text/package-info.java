/**
 * Output of the command line that only a local process can write: the progress display, the end of a crawl with its
 * files, notices while a command waits, colours and widths of the user's terminal. The summaries themselves are
 * rendered by {@code io.trawl.coordinator.text}. In: summaries, text; out: lines on standard output and standard error.
 */
@NullMarked
package io.trawl.standalone.text;

import org.jspecify.annotations.NullMarked;
