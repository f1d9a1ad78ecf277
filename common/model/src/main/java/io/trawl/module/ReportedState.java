package io.trawl.module;

import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.StateFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The current state of one stage; each change is logged once. Written by the stage's thread, read by any thread. */
public final class ReportedState {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedState.class);
    private final String stage;
    private volatile StageState now = Phase.STARTING;

    /** @param stage its name in the log */
    public ReportedState(String stage) {
        this.stage = stage;
    }

    /** Sets the state. If only the detail differs, the state that was reported first stays. */
    public void is(StageState next) {
        StateFields fields = next.fields();
        if (fields.phase().equals(now.fields().phase()) && fields.reason().equals(now.fields().reason())) {
            return;
        }
        now = next;
        if (fields.detail().isPresent()) {
            LOG.warn("{}: {}: {}", stage, next.text(), fields.detail().get());
        } else {
            LOG.info("{}: {}", stage, next.text());
        }
    }

    /** The current state. */
    public StageState now() {
        return now;
    }
}
