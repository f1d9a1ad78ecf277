package io.trawl.module;

import io.trawl.model.ModuleKind;

/**
 * Gives every process of a kind a serial number that no other live process of that kind has (S5), also after the numbers have wrapped around.
 */
public interface SerialNumbers {
    /** Takes the next free number and holds it until {@link #release}, or until the process stops renewing its lease. */
    long take(ModuleKind kind);

    /**
     * Renews the hold on a number; called together with the registration.
     *
     * @throws SerialNumberLost if the lease ran out and another process took the number
     */
    void renew(ModuleKind kind, long serial);

    /** Gives a number back. */
    void release(ModuleKind kind, long serial);
}
