@NullMarked
package io.trawl.bench.frontier;

import org.jspecify.annotations.NullMarked;
