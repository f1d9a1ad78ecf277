/**
 * In: nothing; out: the time and pauses. Code that reads the time or waits receives a {@link io.trawl.time.Time}, so
 * that rules about time can be tested without waiting. Only {@link io.trawl.time.Time#system()} reads the system clock.
 */
@NullMarked
package io.trawl.time;

import org.jspecify.annotations.NullMarked;
