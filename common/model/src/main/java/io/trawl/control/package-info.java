/**
 * Control: the records of the {@code control} topic, in which the leading coordinator announces to every process the
 * crawls, their states, their accepted domains, and stop signs. In: the leader's decisions; out: a
 * {@link io.trawl.control.ControlView} in every process. {@link io.trawl.control.CrawlState} has the legal state
 * transitions of a crawl.
 */
@NullMarked
package io.trawl.control;

import org.jspecify.annotations.NullMarked;
