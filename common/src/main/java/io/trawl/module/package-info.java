/**
 * Who works: the bookkeeping of one process (S10) and the registrar that knows all of them (S11). In: what a worker counts; out: its
 * {@link io.trawl.module.Registration} and {@link io.trawl.module.Summary}. The ports here are implemented in {@code io.trawl.redis}.
 */
@NullMarked
package io.trawl.module;

import org.jspecify.annotations.NullMarked;
