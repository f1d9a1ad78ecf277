/**
 * Patterns of crawl files: globs and regular expressions over URLs and other texts, all matched without exponential
 * time.
 */
@NullMarked
package io.trawl.pattern;

import org.jspecify.annotations.NullMarked;
