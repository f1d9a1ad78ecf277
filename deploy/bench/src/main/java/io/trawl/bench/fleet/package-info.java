/**
 * In: settings. Out: a running deployment with each module in its own process from its jar, and the CPU time and peak
 * memory of each process, as the operating system reports them. All benchmarks start, measure and stop a fleet with
 * this package.
 */
@NullMarked
package io.trawl.bench.fleet;

import org.jspecify.annotations.NullMarked;
