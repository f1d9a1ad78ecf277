/** Servers of tests that are processes, and what stands before them and is too busy. */
@NullMarked
package io.trawl.pipeline.remote;

import org.jspecify.annotations.NullMarked;
