package io.trawl.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Drops what the Kafka client logs as an error with a stack trace when a producer is fenced. The owner of the producer
 * says so in one sentence, and the leader fences all makers of requests when the request topics are replaced.
 */
public final class FencedProducerFilter extends TurboFilter {
    private static final String CLIENT = "org.apache.kafka.clients.producer.";

    @Override
    public FilterReply decide(@Nullable Marker marker, Logger logger, Level level, @Nullable String format,
            Object @Nullable [] params, @Nullable Throwable thrown) {
        boolean fenced = thrown instanceof ProducerFencedException || thrown instanceof InvalidProducerEpochException;
        return fenced && logger.getName().startsWith(CLIENT) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
