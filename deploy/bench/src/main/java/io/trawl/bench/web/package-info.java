/** The sites of benchmarks, served by {@link io.trawl.testkit.web.LoopbackWeb}. */
@NullMarked
package io.trawl.bench.web;

import org.jspecify.annotations.NullMarked;
