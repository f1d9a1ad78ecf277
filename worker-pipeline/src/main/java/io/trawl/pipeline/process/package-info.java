/**
 * In: items from the analyzer. Out: the items to store, or the reasons against it. A
 * {@link io.trawl.pipeline.process.ProcessorChain} passes every item through the {@link io.trawl.api.ItemProcessor}s of
 * the plug-ins, in their order. A failure of a processor affects only the current item.
 */
@NullMarked
package io.trawl.pipeline.process;

import org.jspecify.annotations.NullMarked;
