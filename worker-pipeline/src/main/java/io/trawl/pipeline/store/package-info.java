/** The loop that stores a topic, items or responses: reads, hands over to processors and sinks, commits positions. */
@NullMarked
package io.trawl.pipeline.store;

import org.jspecify.annotations.NullMarked;
