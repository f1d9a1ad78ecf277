@NullMarked
package io.trawl.pipeline.manifest;

import org.jspecify.annotations.NullMarked;
