/**
 * In: items with their partition and offset. Out: files of JSON lines that hold each item exactly once, even if
 * processes are killed at any moment. The sink commits the offset together with the name of the files to rename, so
 * that the commit decides and the partition's next owner finishes the rename
 * ({@link io.trawl.pipeline.sink.SinkSteps}). The package accesses Kafka only through the port
 * {@link io.trawl.pipeline.sink.SinkOffsets}.
 */
@NullMarked
package io.trawl.pipeline.sink;

import org.jspecify.annotations.NullMarked;
