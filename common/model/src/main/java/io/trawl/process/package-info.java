/**
 * The item processors of crawl files as they are written: the elements of {@code process.processors}, and how texts,
 * numbers and dates are read.
 */
@NullMarked
package io.trawl.process;

import org.jspecify.annotations.NullMarked;
