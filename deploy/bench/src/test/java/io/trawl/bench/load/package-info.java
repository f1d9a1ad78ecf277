@NullMarked
package io.trawl.bench.load;

import org.jspecify.annotations.NullMarked;
