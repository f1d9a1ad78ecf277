package io.trawl.pipeline.sink;

/**
 * Called right before each step of the protocol, so that a test can stop a process between two steps. Does nothing in
 * production.
 */
@FunctionalInterface
public interface FaultPoint {
    /** Does nothing. */
    FaultPoint NONE = faultStep -> {};

    /** The steps, in their order: the first two at the takeover of a partition. Steps on files occur once per file. */
    enum FaultStep {
        /** The unfinished files of others are listed; the committed offset is read. */
        TAKE_OVER,
        /** An unfinished file of another owner is deleted. */
        THROW_AWAY,
        /** A line is appended to an unfinished file. */
        WRITE,
        /** Items are given to a sink of a plug-in. */
        DELIVER,
        /** Items for topics are written, and the position of the sinks there is committed. */
        PUBLISH,
        /** An unfinished file is forced to disk. */
        SYNC,
        /** The offset is committed with the files' name. */
        NAME,
        /** A file gets its final name. */
        RENAME,
        /** The offset is committed without a name. */
        CLEAR,
        /** All steps are done. */
        DONE,
        /** The files of a finished run are read; the file of its keys is written. */
        KEYS,
        /** The keys of two runs are merged; the file of the changes is written. */
        CHANGES,
        /** All is known of a finished run; its manifest is written. */
        MANIFEST,
        /** The mark of a finished run is written. */
        MARK
    }

    /** Called before the step; an exception ends the loop like a crash. */
    void before(FaultStep faultStep);
}
