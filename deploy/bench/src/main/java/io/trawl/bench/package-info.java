/**
 * In: the name of a benchmark; out: its figures. {@link io.trawl.bench.Bench} is the command {@code ./trawl bench}; the packages below hold web servers,
 * backlogs, fleets and the benchmarks themselves. Nothing of it is shipped.
 */
@NullMarked
package io.trawl.bench;

import org.jspecify.annotations.NullMarked;
