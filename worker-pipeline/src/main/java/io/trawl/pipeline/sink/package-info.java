/**
 * In: items with the partition and offset at which they stand; out: files of JSON lines that hold each of them exactly once, whoever is killed when.
 * The offset is committed together with the name of what is to be renamed, so that the commit decides and whoever owns the partition next finishes
 * the rename ({@link io.trawl.pipeline.sink.SinkSteps}). Kafka is seen only through the port {@link io.trawl.pipeline.sink.Offsets}.
 */
@NullMarked
package io.trawl.pipeline.sink;

import org.jspecify.annotations.NullMarked;
