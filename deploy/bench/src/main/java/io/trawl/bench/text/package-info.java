/** The main text of pages against public benchmarks of it. */
@NullMarked
package io.trawl.bench.text;

import org.jspecify.annotations.NullMarked;
