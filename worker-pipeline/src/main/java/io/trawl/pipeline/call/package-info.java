/** Answers to calls of coordinators: stored items, differences of runs, a try of processors. */
@NullMarked
package io.trawl.pipeline.call;

import org.jspecify.annotations.NullMarked;
