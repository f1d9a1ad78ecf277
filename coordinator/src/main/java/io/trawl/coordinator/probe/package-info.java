/**
 * Looks at single URLs and hosts for people. In: a URL, or a host; {@link io.trawl.coordinator.probe.LivePreview} has it fetched and analysed now. Out:
 * what came of it. No crawl is touched.
 */
@NullMarked
package io.trawl.coordinator.probe;

import org.jspecify.annotations.NullMarked;
