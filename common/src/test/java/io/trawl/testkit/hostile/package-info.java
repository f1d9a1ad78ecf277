/**
 * A hostile web: {@link io.trawl.testkit.hostile.HostileCorpus} has the named cases, each with what its server does and
 * the outcome that a crawl must have; {@link io.trawl.testkit.hostile.HostileWeb} serves them, with raw sockets, one
 * port per case. In: nothing but requests; out: bytes that break rules. A test crawls through all of it, a benchmark
 * puts it beside honest hosts, and docs/evidence/hostile-web.md lists it.
 */
@NullMarked
package io.trawl.testkit.hostile;

import org.jspecify.annotations.NullMarked;
