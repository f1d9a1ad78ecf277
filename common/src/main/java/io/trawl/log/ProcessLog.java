package io.trawl.log;

import ch.qos.logback.classic.LoggerContext;
import io.trawl.model.MID;
import org.slf4j.LoggerFactory;

/** The log of a process that is one module. */
public final class ProcessLog {
    private ProcessLog() {}

    /** From now on every line says that it is of this module. Not for processes with several modules in them. */
    public static void is(MID mid) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.putProperty(LogKeys.MID, mid.toString());
        }
    }
}
