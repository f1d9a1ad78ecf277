/**
 * JMH benchmarks of the parts of a fetch: URL normalisation and admission, the wire format, the ledger on a real
 * redis-server, and the frontier. {@code ./trawl bench jmh} runs them. They show the cost of each part; benchmarks of
 * whole crawls show whether it matters.
 */
@NullMarked
package io.trawl.bench.jmh;

import org.jspecify.annotations.NullMarked;
