package io.trawl.module;

import io.trawl.model.ModuleKind;

/**
 * Gives every process of a kind a serial number that no other live process of that kind has (S5), also after the
 * numbers have wrapped around.
 */
public interface SerialNumbers {
    /**
     * Takes the next free number and leases it until {@link #release}, or until the process stops renewing its lease.
     *
     * @throws io.trawl.model.InvalidValueException if live processes hold all numbers of the range
     */
    long take(ModuleKind kind);

    /**
     * Renews the lease of a number; called together with the registration.
     *
     * @throws SerialNumberLostException if the lease ran out and another process took the number
     */
    void renew(ModuleKind kind, long serial);

    /** Releases a number. */
    void release(ModuleKind kind, long serial);

    /** The state of the generator of a kind. */
    Position position(ModuleKind kind);

    /**
     * The numbers that may be given.
     *
     * @param start the smallest
     * @param largest {@code start} to {@link #LARGEST}
     */
    record SerialRange(long start, long largest) {
        /** The largest number that Redis counts exactly. */
        public static final long LARGEST = (1L << 53) - 1;

        /** @throws IllegalArgumentException if there are no such numbers */
        public SerialRange {
            if (largest < start || start < 1 || largest > LARGEST) {
                throw new IllegalArgumentException(
                        "serial numbers are in 1 to " + LARGEST + ", not from " + start + " to " + largest);
            }
        }
    }

    /**
     * The state of a generator (S5).
     *
     * @param start the smallest number
     * @param largest the largest
     * @param next the number to try next
     * @param cycles how often the numbers have wrapped around
     */
    record Position(long start, long largest, long next, long cycles) {}

    /**
     * A process has not renewed its lease in time and another one has its serial number now: it must not continue under
     * its MID.
     */
    final class SerialNumberLostException extends RuntimeException {
        /** @param serial the number that another process holds */
        public SerialNumberLostException(ModuleKind kind, long serial) {
            super("the serial number " + kind.letter() + serial + " is held by another process now");
        }
    }
}
