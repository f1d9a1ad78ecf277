/**
 * Calls to workers at the addresses in their MIDs. In: what is wanted; a worker is chosen by who owns the host, else by its load, and one that does not
 * answer leads to the next. Out: the worker's answer, or why there is none.
 */
@NullMarked
package io.trawl.coordinator.workers;

import org.jspecify.annotations.NullMarked;
