@NullMarked
package io.trawl.bench.report;

import org.jspecify.annotations.NullMarked;
