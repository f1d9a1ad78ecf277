package io.trawl.telemetry;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The last {@value #MOST} lines of the log of this process, of all modules in it. Thread-safe. */
public final class RecentLog extends AppenderBase<ILoggingEvent> {
    /** Where it is asked. */
    public static final String PATH = "/logs";
    /** The number of lines that are kept. */
    public static final int MOST = 1000;
    private static final int LONGEST = 2000;
    private static final String NAME = "recent";
    private final Deque<LogLine> lines = new ArrayDeque<>();

    /**
     * A line.
     *
     * @param logger the name of the class
     * @param message at most {@value #LONGEST} characters, with the exception's own line if there is one
     */
    public record LogLine(Instant at, String level, String thread, String logger, String message) {}

    private RecentLog() {}

    /**
     * That of this process, which begins with the first call. It has no lines if the process does not log with logback.
     */
    public static RecentLog ofThisProcess() {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return new RecentLog();
        }
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        synchronized (context) {
            if (root.getAppender(NAME) instanceof RecentLog known) {
                return known;
            }
            RecentLog recent = new RecentLog();
            recent.setName(NAME);
            recent.setContext(context);
            recent.start();
            root.addAppender(recent);
            return recent;
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        String message = event.getFormattedMessage()
                + (thrown == null ? "" : ": " + thrown.getClassName() + ": " + thrown.getMessage());
        LogLine line = new LogLine(event.getInstant(), event.getLevel().toString(), event.getThreadName(),
                event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1),
                message.length() > LONGEST ? message.substring(0, LONGEST) + "…" : message);
        synchronized (lines) {
            lines.addLast(line);
            if (lines.size() > MOST) {
                lines.removeFirst();
            }
        }
    }

    /** The last lines, the oldest first. @param most how many */
    public List<LogLine> last(int most) {
        synchronized (lines) {
            return lines.stream().skip(Math.max(0, lines.size() - most)).toList();
        }
    }
}
