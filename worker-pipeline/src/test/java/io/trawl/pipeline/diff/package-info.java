@NullMarked
package io.trawl.pipeline.diff;

import org.jspecify.annotations.NullMarked;
