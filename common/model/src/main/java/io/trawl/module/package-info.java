/**
 * Modules: the bookkeeping of one process (S10) and the registrar that lists all of them (S11). In: the counters of a
 * worker; out: its {@link io.trawl.module.Registration} and {@link io.trawl.module.ModuleSummary}. The ports here are
 * implemented in {@code io.trawl.redis}.
 */
@NullMarked
package io.trawl.module;

import org.jspecify.annotations.NullMarked;
