/**
 * In: options. Out: a table. Each command here is one complete benchmark: it starts the processes, loads them,
 * measures, reports and stops them. {@link io.trawl.bench.run.Results} has the figures and describes the machine.
 * docs/benchmarks.md explains the figures.
 */
@NullMarked
package io.trawl.bench.run;

import org.jspecify.annotations.NullMarked;
