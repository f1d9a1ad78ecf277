/**
 * In: nothing; out: operations per second of the parts of a fetch, each by itself: normal form and admission of URLs, the wire form, the ledger on a real
 * redis-server, and the frontier. Run by {@code ./trawl bench jmh}. They show where time goes; whole crawls show whether it matters.
 */
@NullMarked
package io.trawl.bench.jmh;

import org.jspecify.annotations.NullMarked;
