package io.trawl.standalone;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.LogManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where log lines go while the terminal belongs to the command: into a file, or nowhere. Worker processes log to standard error, as their configuration says. */
public final class Logs {
    private static final String PATTERN = "%d{ISO8601} %-5level [%thread] %logger{24} %msg%n";
    private static final long LARGEST = 20L << 20;

    private Logs() {}

    /** No log at all: for commands that answer at once. */
    public static void none() {
        fresh().getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }

    /** Into {@code trawl.log} in this folder, which is made if it can be; the one before is kept as {@code trawl.1.log} when it grows too large. */
    static void into(Path folder) {
        LoggerContext context = fresh();
        if (!Files.isDirectory(folder) && !folder.toFile().mkdirs()) {
            // Whoever needs the folder says why it cannot be had.
            none();
            return;
        }
        Path file = folder.toAbsolutePath().resolve("trawl.log");
        context.putProperty("file", file.toString());
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
        window.setContext(context);
        window.setParent(appender);
        window.setMinIndex(1);
        window.setMaxIndex(1);
        window.setFileNamePattern(folder.toAbsolutePath().resolve("trawl.%i.log").toString());
        window.start();
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(new FileSize(LARGEST));
        size.start();
        appender.setRollingPolicy(window);
        appender.setTriggeringPolicy(size);
        begin(context, appender);
    }

    /** The file that is written to, if one is. */
    static Optional<Path> file() {
        return Optional.ofNullable(context().getProperty("file")).map(Path::of);
    }

    private static void begin(LoggerContext context, OutputStreamAppender<ILoggingEvent> appender) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger("io.trawl").setLevel(Level.INFO);
    }

    private static LoggerContext fresh() {
        LogManager.getLogManager().reset();
        LoggerContext context = context();
        context.reset();
        return context;
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
