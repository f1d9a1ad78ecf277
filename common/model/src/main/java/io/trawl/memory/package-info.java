/**
 * The heap of a process: {@link io.trawl.memory.HeapShares} derives the sizes of buffers and budgets from it, and
 * {@link io.trawl.memory.HeapWatch} says when no new work may begin, since it is nearly full.
 */
@NullMarked
package io.trawl.memory;

import org.jspecify.annotations.NullMarked;
