package io.trawl.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class FencedProducerFilterTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @Test
    void aFencedProducerIsLoggedByItsOwnerAndNotByTheClientWhoseOtherErrorsStay() {
        context.addTurboFilter(new FencedProducerFilter());
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(log);
        log.start();
        context.getLogger(Sender.class).error("batches", new ProducerFencedException("fenced"));
        context.getLogger(Sender.class).error("batches", new InvalidProducerEpochException("old"));
        context.getLogger(Sender.class).error("batches", new TimeoutException("late"));
        context.getLogger("io.trawl.analyzer.loop.BatchLoop").error("ours", new ProducerFencedException("fenced"));
        assertThat(log.list).extracting(event -> event.getLoggerName() + " " + event.getMessage())
                .containsExactly(Sender.class.getName() + " batches", "io.trawl.analyzer.loop.BatchLoop ours");
    }
}
