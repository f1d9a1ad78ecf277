package io.trawl.pipeline.diff;

/** A run, or what is asked of it, is not in the output folder. The message may be shown to users. */
public final class MissingRunException extends RuntimeException {
    MissingRunException(String message) {
        super(message);
    }
}
