package io.trawl.telemetry;

import ch.qos.logback.classic.LoggerContext;
import io.trawl.model.MID;
import org.slf4j.LoggerFactory;

/** The log of a process that is one module. */
public final class ProcessLog {
    private ProcessLog() {}

    /** Adds the MID to every later log line. Not for processes with several modules. */
    public static void is(MID mid) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.putProperty(LogKeys.MID, mid.toString());
        }
    }

    /**
     * The keys of JSON log lines that identify their subject. A line about a crawl or a URL adds them to its event
     * ({@code LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl)}) and repeats the value in its message.
     */
    public static final class LogKeys {
        /** The process: in every line after the process has its MID. */
        public static final String MID = "mid";
        /** The id of a crawl. */
        public static final String CRAWL = "crawl";
        /** A URL. */
        public static final String URL = "url";

        private LogKeys() {}
    }
}
