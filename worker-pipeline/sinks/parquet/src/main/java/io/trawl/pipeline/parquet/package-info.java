/**
 * In: items as cells of columns. Out: Parquet files. The only package that knows parquet-java, whose classes are loaded
 * when a crawl has such a sink.
 */
@NullMarked
package io.trawl.pipeline.parquet;

import org.jspecify.annotations.NullMarked;
