/**
 * The whole of Trawl against real servers and a known web. In: a site whose pages are known; the tests compare the
 * output exactly with the expected output. The same checks serve a fleet in one JVM, a fleet of processes, and the one
 * command.
 */
@NullMarked
package io.trawl.standalone.e2e;

import org.jspecify.annotations.NullMarked;
