@NullMarked
package io.trawl.bench.fleet;

import org.jspecify.annotations.NullMarked;
