package io.trawl.module;

/**
 * The slots of a downloader: the exchanges that it may have in flight.
 *
 * @param total how many there are
 * @param used how many are in use
 * @param waiting hosts that may be asked now and wait for a slot
 * @param limit what decides how many there are
 */
public record SlotCount(int total, int used, int waiting, Bound limit) {
    /** What decides how many slots there are. */
    public enum Bound {
        /** The setting. */
        SETTING,
        /** The part of the heap for connections. */
        MEMORY,
        /** The files and sockets that the process may open. */
        DESCRIPTORS
    }

}
