/**
 * Who commands: the records of the {@code control} topic, in which the leading coordinator tells every process which crawls there are, in which
 * state, which domains they accept, and when to stop. In: what the leader decided; out: a {@link io.trawl.control.ControlView} in every process.
 * The legal moves of a crawl's life stand in {@link io.trawl.control.CrawlState}.
 */
@NullMarked
package io.trawl.control;

import org.jspecify.annotations.NullMarked;
