/**
 * Every setting of a process, in one place. In: environment variables {@code TRAWL_...}; out: one immutable, checked
 * {@link io.trawl.settings.Settings}, or all faults at once, each naming variable, value and rule.
 */
@NullMarked
package io.trawl.settings;

import org.jspecify.annotations.NullMarked;
