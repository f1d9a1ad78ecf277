/**
 * In: options; out: a table. Each command here is one benchmark from start to end: it starts what it needs, loads it, measures, reports, and stops
 * everything. docs/benchmarks.md says what each figure means.
 */
@NullMarked
package io.trawl.bench.run;

import org.jspecify.annotations.NullMarked;
