/**
 * In: nothing; out: web servers on this machine that cost next to nothing. {@link io.trawl.bench.web.LoopbackWeb} serves any number of loopback
 * addresses at one port on one thread; what it answers, and after what delay, is a function from host and path. It exists beside the testkit's server
 * because a benchmark must not measure its own web server.
 */
@NullMarked
package io.trawl.bench.web;

import org.jspecify.annotations.NullMarked;
