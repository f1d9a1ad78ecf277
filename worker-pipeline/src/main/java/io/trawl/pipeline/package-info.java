/**
 * In: items. Out: files with the processed items, each stored exactly once. {@link io.trawl.pipeline.Pipeline} is the
 * stage, {@code ItemLoop} its single thread, which owns the consumer and the sink. The loop commits offsets manually,
 * with a note of the sink as metadata.
 */
@NullMarked
package io.trawl.pipeline;

import io.trawl.pipeline.store.ItemLoop;
import org.jspecify.annotations.NullMarked;
