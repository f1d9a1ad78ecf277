@NullMarked
package io.trawl.pipeline.chunk;

import org.jspecify.annotations.NullMarked;
