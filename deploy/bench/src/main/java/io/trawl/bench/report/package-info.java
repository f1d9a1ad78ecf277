/**
 * In: what was measured; out: a table for people and the same as JSON. {@link io.trawl.bench.report.Results} holds the figures of one benchmark with the
 * machine on which they were seen; {@link io.trawl.bench.report.Quantiles} says how a set of times is spread. It exists so that all benchmarks report alike.
 */
@NullMarked
package io.trawl.bench.report;

import org.jspecify.annotations.NullMarked;
