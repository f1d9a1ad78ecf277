package io.trawl.coordinator.queue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.channel.Backlogs;
import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every second how much stands in the channels, on a thread of its own, for people and for metrics; and at once for whoever must know. Every
 * coordinator keeps one. Thread-safe.
 */
public final class QueueWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration KEPT = Duration.ofMinutes(11);
    private final Backlogs backlogs;
    private final Topics topics;
    private final Supplier<Optional<Channels>> channels;
    private final Time time;
    private final MeterRegistry meters;
    private final PastReadings past = new PastReadings(KEPT);
    private final Set<String> shown = new HashSet<>();
    private final Thread thread;
    private volatile Optional<Reading> latest = Optional.empty();

    /**
     * The backlogs at one moment.
     *
     * @param at when they were read
     * @param requests of each priority, from 0
     * @param responses what analyzers have not handled
     * @param items what pipelines have not handled
     */
    public record Reading(Instant at, List<Long> requests, long responses, long items) {
        /** By the names of the channels: {@code requests.p2}, {@code responses}, {@code items}. */
        public Map<String, Long> byChannel() {
            Map<String, Long> all = new TreeMap<>(Map.of("responses", responses, "items", items));
            for (int p = 0; p < requests.size(); p++) {
                all.put("requests.p" + p, requests.get(p));
            }
            return all;
        }
    }

    /**
     * @param backlogs handed over
     * @param channels the request topics, once they are known
     */
    public QueueWatch(Backlogs backlogs, Topics topics, Supplier<Optional<Channels>> channels, Time time, MeterRegistry meters) {
        this.backlogs = backlogs;
        this.topics = topics;
        this.channels = channels;
        this.time = time;
        this.meters = meters;
        this.thread = Thread.ofVirtual().name("queue").unstarted(this::run);
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    /** What was read last; empty before the first time. It is old when the broker does not answer. */
    public Optional<Reading> latest() {
        return latest;
    }

    /** What was read last within the time before a moment. */
    public Optional<Reading> before(Instant end, Duration within) {
        return past.before(end, within);
    }

    /**
     * How many requests wait at each priority, now.
     *
     * @throws KafkaException if the broker does not answer
     */
    public long[] requests(Channels of) throws InterruptedException {
        List<String> names = topics.requests(of);
        Map<String, Long> found = backlogs.of(topics.downloaderGroup(), names);
        return names.stream().mapToLong(name -> found.getOrDefault(name, 0L)).toArray();
    }

    private void run() {
        try {
            while (true) {
                look();
                time.pause(EVERY);
            }
        } catch (InterruptedException e) {
            LOG.debug("the channels are no longer watched");
        }
    }

    private void look() throws InterruptedException {
        Optional<Channels> known = channels.get();
        if (known.isEmpty()) {
            return;
        }
        try {
            List<Long> requests = new ArrayList<>();
            for (long backlog : requests(known.get())) {
                requests.add(backlog);
            }
            Reading now = new Reading(time.now(), requests, backlogs.of(topics.analyzerGroup(), topics.responses()),
                    backlogs.of(topics.pipelineGroup(), topics.items()));
            latest = Optional.of(now);
            past.add(now);
            show(requests.size());
        } catch (KafkaException e) {
            LOG.debug("the backlogs cannot be read now: {}", e.getMessage());
        }
    }

    private void show(int levels) {
        for (int p = 0; p < levels; p++) {
            int priority = p;
            gauge("requests.p" + p, r -> r.requests().get(priority));
        }
        gauge("responses", Reading::responses);
        gauge("items", Reading::items);
    }

    private void gauge(String channel, ToDoubleFunction<Reading> value) {
        if (shown.add(channel)) {
            Gauge.builder("trawl.queue.backlog", this, w -> w.latest.map(value::applyAsDouble).orElse(Double.NaN))
                    .description("Offsets that the next stage has not handled").tag("channel", channel).register(meters);
        }
    }

    /** Ends the reading. */
    @Override
    public void close() {
        thread.interrupt();
        backlogs.close();
    }
}
