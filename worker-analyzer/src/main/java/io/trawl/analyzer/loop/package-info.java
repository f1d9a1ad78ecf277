/**
 * The loop of a stage that reads a topic in batches. In: records of {@code responses}. Does: hands each poll to a
 * {@link io.trawl.analyzer.loop.BatchHandler}, and goes back to the committed offsets after anything but a confirmed
 * commit. Out: the handler's output and the offsets of the batch, in one transaction.
 */
@NullMarked
package io.trawl.analyzer.loop;

import org.jspecify.annotations.NullMarked;
