package io.trawl.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.telemetry.ProcessLog.LogKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** The output of the shipped configuration. */
class JsonLogTest {
    private final LoggerContext context = new LoggerContext();

    JsonLogTest() {
        context.setMDCAdapter(new LogbackMDCAdapter());
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void aLineHasTheProcessTheCrawlAndTheUrlAsSeparateKeys() throws Exception {
        configure("json");
        context.putProperty(LogKeys.MID, "D3|10.0.0.7:8081");
        JsonNode line = json(about(new IllegalStateException("too large")));
        assertThat(line.properties()).extracting(java.util.Map.Entry::getKey).containsExactlyInAnyOrder("timestamp",
                "level", "threadName", "loggerName", "formattedMessage", "throwable", "mid", "crawl", "url");
        assertThat(line.get("mid").asText()).isEqualTo("D3|10.0.0.7:8081");
        assertThat(line.get("crawl").asText()).isEqualTo("docs");
        assertThat(line.get("url").asText()).isEqualTo("http://example.org/\"");
        assertThat(line.get("formattedMessage").asText()).isEqualTo("docs was given up");
        assertThat(line.get("throwable").asText()).contains("IllegalStateException: too large").contains("\n");
    }

    @Test
    void aLineWithoutACrawlOrUrlHasNoKeysForThem() throws Exception {
        configure("json");
        assertThat(json(new LoggingEvent("x", logger(), Level.INFO, "running", null, null)).properties())
                .extracting(java.util.Map.Entry::getKey)
                .containsExactlyInAnyOrder("timestamp", "level", "threadName", "loggerName", "formattedMessage");
    }

    @Test
    void theTextFormatHasTheMessageOnceAndOnOneLine() throws Exception {
        configure("text");
        context.putProperty(LogKeys.MID, "D3|10.0.0.7:8081");
        assertThat(encoded(about(null))).matches("\\S+ WARN  \\[\\S+] ResponseBatchHandler: docs was given up\n");
    }

    private Logger logger() {
        return context.getLogger("io.trawl.analyzer.batch.ResponseBatchHandler");
    }

    private LoggingEvent about(@Nullable Throwable cause) {
        LoggingEvent event = new LoggingEvent("x", logger(), Level.WARN, "{} was given up", cause,
                new Object[]{"docs"});
        event.setKeyValuePairs(List.of(new KeyValuePair(LogKeys.CRAWL, new CrawlId("docs")),
                new KeyValuePair(LogKeys.URL, "http://example.org/\"")));
        return event;
    }

    private void configure(String format) throws JoranException {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        System.setProperty("TRAWL_LOG_FORMAT", format);
        try {
            configurator.doConfigure(JsonLogTest.class.getResource("/logback.xml"));
        } finally {
            System.clearProperty("TRAWL_LOG_FORMAT");
        }
    }

    private JsonNode json(ILoggingEvent event) throws IOException {
        String line = encoded(event);
        assertThat(line).endsWith("\n").doesNotMatch("(?s).*\n.+");
        return Json.mapper().readTree(line);
    }

    private String encoded(ILoggingEvent event) {
        OutputStreamAppender<ILoggingEvent> appender = (OutputStreamAppender<ILoggingEvent>) context
                .getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders().next();
        return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    }
}
