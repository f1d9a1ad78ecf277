/**
 * The built-in item processors. In: {@link io.trawl.process.ProcessorStep}s. Out: {@link io.trawl.api.ItemProcessor}s,
 * or the fault of a step. Everything here is a function of an item alone.
 */
@NullMarked
package io.trawl.process.builtin;

import org.jspecify.annotations.NullMarked;
