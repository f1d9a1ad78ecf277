/**
 * Web servers for benchmarks with negligible cost. {@link io.trawl.bench.web.LoopbackWeb} serves any number of loopback
 * addresses on one port and one thread; the response and its delay are a function of host and path. The testkit's
 * server is not used because a benchmark must not measure its own web server.
 */
@NullMarked
package io.trawl.bench.web;

import org.jspecify.annotations.NullMarked;
