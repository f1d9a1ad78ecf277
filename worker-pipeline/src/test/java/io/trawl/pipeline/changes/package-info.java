@NullMarked
package io.trawl.pipeline.changes;

import org.jspecify.annotations.NullMarked;
