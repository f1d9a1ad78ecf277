/**
 * In: nothing; out: the time and pauses. Everything in Trawl that needs to know the time or to wait is handed a {@link io.trawl.time.Time},
 * so that rules about time can be tested without waiting. {@link io.trawl.time.Time#system()} is the only place that asks the machine.
 */
@NullMarked
package io.trawl.time;

import org.jspecify.annotations.NullMarked;
