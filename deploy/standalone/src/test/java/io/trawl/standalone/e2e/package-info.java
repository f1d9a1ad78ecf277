/**
 * The whole of Trawl against real servers and a known web. In: a site whose every page is known beforehand; what comes out is compared with what must
 * come out, exactly. The same checks serve a fleet in one JVM, a fleet of processes, and the one command.
 */
@NullMarked
package io.trawl.standalone.e2e;

import org.jspecify.annotations.NullMarked;
