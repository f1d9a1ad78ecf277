@NullMarked
package io.trawl.pipeline.parquet;

import org.jspecify.annotations.NullMarked;
