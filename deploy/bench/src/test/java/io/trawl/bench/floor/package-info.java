@NullMarked
package io.trawl.bench.floor;

import org.jspecify.annotations.NullMarked;
