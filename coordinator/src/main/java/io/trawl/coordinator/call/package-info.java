/**
 * Calls to other processes of the fleet. In: a {@link io.trawl.coordinator.call.ModuleQuestion} for a module, the owner
 * of a host, any module of a kind, or all of them; out: a {@link io.trawl.coordinator.call.ModuleReply} of each.
 */
@NullMarked
package io.trawl.coordinator.call;

import org.jspecify.annotations.NullMarked;
