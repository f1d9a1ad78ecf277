package io.trawl.pipeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the stage is doing, in a word or two for people. Written by its loop, read by any thread. */
final class StageState {
    static final String RUNNING = "running";
    static final String WAITING_FOR_KAFKA = "waiting for kafka";
    static final String WAITING_FOR_FILES = "waiting for files of another pipeline";
    static final String STOPPING = "stopping";
    static final String STOPPED = "stopped";
    private static final Logger LOG = LoggerFactory.getLogger(StageState.class);
    private volatile String now = "starting";

    /** Says it in the log too, once per change. */
    void is(String state) {
        if (!state.equals(now)) {
            LOG.info("pipeline: {}", state);
            now = state;
        }
    }

    /** Waiting, for this reason. */
    void waiting(Exception why) {
        if (!now.equals(WAITING_FOR_KAFKA)) {
            LOG.warn("pipeline: {}: {}", WAITING_FOR_KAFKA, why.getMessage());
            now = WAITING_FOR_KAFKA;
        }
    }

    String now() {
        return now;
    }
}
