/**
 * The item processors of crawl files. In: the list {@code process.processors} of a definition, whose elements are {@link io.trawl.process.ProcessorStep}s.
 * Out: {@link io.trawl.api.ItemProcessor}s, or the fault of an element, in the words of the format. Everything here is a function of an item alone.
 */
@NullMarked
package io.trawl.process;

import org.jspecify.annotations.NullMarked;
