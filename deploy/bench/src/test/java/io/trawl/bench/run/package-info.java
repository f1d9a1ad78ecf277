@NullMarked
package io.trawl.bench.run;

import org.jspecify.annotations.NullMarked;
