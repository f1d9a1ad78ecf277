package io.trawl.downloader.fetch.name;

import java.net.UnknownHostException;
import java.time.Duration;

/** A name has no address, or none was found. The message says why, without the name. */
public final class UnknownNameException extends UnknownHostException {
    private final Duration kept;

    /** @param kept how long that counts */
    public UnknownNameException(String message, Duration kept) {
        super(message);
        this.kept = kept;
    }

    /** How long that counts: until then the name is not looked up again. */
    public Duration kept() {
        return kept;
    }
}
