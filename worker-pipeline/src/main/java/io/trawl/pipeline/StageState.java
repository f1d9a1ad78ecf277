package io.trawl.pipeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the stage is doing, in a word or two for people. Written by its loop, read by any thread. */
final class StageState {
    static final String RUNNING = "running";
    static final String WAITING_FOR_KAFKA = "waiting for kafka";
    static final String WAITING_FOR_FOLDER = "waiting for the output folder";
    static final String WAITING_FOR_FILES = "waiting for files of another pipeline";
    static final String STOPPING = "stopping";
    static final String STOPPED = "stopped";
    private static final Logger LOG = LoggerFactory.getLogger(StageState.class);
    /** Whether the log knows what it is doing: it begins with a state that needs no word if it passes at once. */
    private boolean said;
    private volatile String now = WAITING_FOR_FOLDER;

    /** Says it in the log too, once per change. */
    void is(String state) {
        if (!state.equals(now)) {
            LOG.info("pipeline: {}", state);
            now = state;
            said = true;
        }
    }

    /** Waiting, for this reason, which the log tells once per change. */
    void waiting(String state, Exception why) {
        if (!said || !now.equals(state)) {
            LOG.warn("pipeline: {}: {}", state, why.getMessage());
            now = state;
            said = true;
        }
    }

    String now() {
        return now;
    }
}
