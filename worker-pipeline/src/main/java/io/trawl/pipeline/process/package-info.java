/**
 * In: items as the analyzer made them; out: what is to be stored, or why not. A {@link io.trawl.pipeline.process.ProcessorChain} leads every item
 * through the {@link io.trawl.pipeline.process.ItemProcessor}s of the plugins, in their order. A processor that fails costs only the item
 * that it failed on.
 */
@NullMarked
package io.trawl.pipeline.process;

import org.jspecify.annotations.NullMarked;
