/**
 * In: settings; out: Trawl as its users run it, each module a process of its own from its jar, and what each of them costs. CPU time and peak memory
 * come from the operating system. It exists so that every benchmark starts, measures and stops a fleet in the same way.
 */
@NullMarked
package io.trawl.bench.fleet;

import org.jspecify.annotations.NullMarked;
