/**
 * Views of what workers hold: stored items, hosts, log lines. In: calls of the REST interface; out: direct calls at
 * workers, whose answers are merged.
 */
@NullMarked
package io.trawl.coordinator.view;

import org.jspecify.annotations.NullMarked;
