package io.trawl.pipeline.sink;

/** Called right before each step of the protocol, so that a test can stop a process exactly between two of them. Does nothing in production. */
@FunctionalInterface
public interface FaultPoint {
    /** Never stops anything. */
    FaultPoint NONE = step -> {};

    /** The steps, in their order: the first two when a partition is taken over; those about files happen once per file. */
    enum Step {
        /** The unfinished files of others are listed; the committed offset is read. */
        TAKE_OVER,
        /** An unfinished file of another owner is thrown away. */
        THROW_AWAY,
        /** A line is added to an unfinished file. */
        WRITE,
        /** An unfinished file is forced to disk. */
        SYNC,
        /** The offset is committed with the files' name. */
        NAME,
        /** A file gets its final name. */
        RENAME,
        /** The offset is committed without a name. */
        CLEAR,
        /** Nothing is left to do. */
        DONE
    }

    /** The step is about to be taken; what is thrown ends the loop as a crash would. */
    void before(Step step);
}
