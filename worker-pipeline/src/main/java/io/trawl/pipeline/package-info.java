/**
 * In: items; out: what the item processors make of them, stored exactly once. {@link io.trawl.pipeline.Pipeline} is the stage,
 * {@code ItemLoop} its one thread, which owns the consumer and the sink. Offsets are committed by hand, with what the sink has to say about them.
 */
@NullMarked
package io.trawl.pipeline;

import org.jspecify.annotations.NullMarked;
