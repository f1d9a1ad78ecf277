/**
 * In: the name of a benchmark. Out: its figures. {@link io.trawl.bench.Bench} is the command {@code ./trawl bench}; the
 * subpackages contain sites, fleets and the benchmarks; web servers are those of the test kit. This module is not part
 * of a release.
 */
@NullMarked
package io.trawl.bench;

import org.jspecify.annotations.NullMarked;
