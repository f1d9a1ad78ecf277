package io.trawl.standalone.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import io.trawl.embedded.OwnerOnly;
import io.trawl.telemetry.FencedProducerFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.LogManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Redirects the log of commands that use the terminal: into a file, or nowhere. Worker processes log to standard error,
 * as configured.
 */
public final class LogSetup {
    private static final String PATTERN = "%d{ISO8601} %-5level [%thread] %logger{24} %msg%n";
    private static final long LARGEST = 20L << 20;

    private LogSetup() {}

    /** Disables the log, for short commands. */
    public static void none() {
        fresh().getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }

    /**
     * Logs to {@code trawl.log} in this folder, which is created if possible, for its owner only; the file is rotated
     * to {@code trawl.1.log} when it grows too large.
     */
    public static void into(Path folder) {
        LoggerContext context = fresh();
        try {
            OwnerOnly.folder(folder);
        } catch (IOException e) {
            // The command reports the error when it uses the folder.
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

    /** The log file, if there is one. */
    public static Optional<Path> file() {
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
        // As in logback.xml: it logs an error for each poll that ends at the budget of its bytes.
        context.getLogger("org.apache.kafka.clients.consumer.internals.CompletedFetch").setLevel(Level.OFF);
        context.addTurboFilter(new FencedProducerFilter());
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
