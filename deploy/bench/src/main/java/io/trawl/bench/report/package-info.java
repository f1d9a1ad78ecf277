/**
 * In: measurements. Out: a Markdown table and the same data as JSON. {@link io.trawl.bench.report.Results} holds the
 * figures of one benchmark and describes the machine; {@link io.trawl.bench.report.Quantiles} describes the
 * distribution of a set of times. All benchmarks report with this package.
 */
@NullMarked
package io.trawl.bench.report;

import org.jspecify.annotations.NullMarked;
