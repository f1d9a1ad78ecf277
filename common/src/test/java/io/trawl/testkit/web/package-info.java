/**
 * A web server with negligible cost. {@link io.trawl.testkit.web.LoopbackWeb} serves any number of loopback addresses
 * on one port and one thread; the response and its delay are a function of host and path. Benchmarks use it and not
 * {@link io.trawl.testkit.FakeWeb}, since they must not measure their own web server.
 */
@NullMarked
package io.trawl.testkit.web;

import org.jspecify.annotations.NullMarked;
