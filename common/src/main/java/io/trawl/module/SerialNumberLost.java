package io.trawl.module;

import io.trawl.model.ModuleKind;

/** A process was silent for longer than its lease, and another one has its serial number now: it must not go on under its MID. */
public final class SerialNumberLost extends RuntimeException {
    /** @param serial the number that somebody else holds */
    public SerialNumberLost(ModuleKind kind, long serial) {
        super("the serial number " + kind.letter() + serial + " is held by another process now");
    }
}
