package io.trawl.coordinator.queue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.api.Counts;
import io.trawl.channel.offset.TopicBacklog;
import io.trawl.channel.offset.TopicBacklog.Reading;
import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.control.ControlView;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the backlogs of the channels every second on a thread of its own, for summaries and metrics, and on demand for
 * admission; every five seconds while no process and no request has moved for some. Every coordinator runs one.
 * Thread-safe.
 */
public final class QueueWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration RESTING = Duration.ofSeconds(30);
    /** What was done is committed so long afterwards, at most. */
    private static final Duration COMMITTED = Duration.ofSeconds(5);
    private static final Duration KEPT = Duration.ofMinutes(11);
    private final TopicBacklog topicBacklog;
    private final TopicNames topicNames;
    private final ControlView control;
    private final Supplier<Optional<Channels>> channels;
    private final UnansweredRequests unansweredRequests;
    private final UnreadItems unreadItems;
    private final Time time;
    private final MeterRegistry meters;
    private final PastReadings past = new PastReadings(KEPT);
    private final Set<String> shown = new HashSet<>();
    private final PeriodicTask task;
    private volatile Optional<BacklogReading> latest = Optional.empty();
    private volatile Set<String> sinksBehind = Set.of();
    /** Belongs to the reading thread. */
    private Movement last = new Movement(List.of(), List.of());
    private long moved;

    /** What moves when backlogs do: what processes have done, and the requests that wait. */
    private record Movement(List<Counts> done, List<Optional<Long>> waiting) {}

    /** What the ledger knows of the requests. */
    public interface UnansweredRequests {
        /** How many of one of so many priorities have no answer; empty while the ledger is counted. */
        Optional<Long> of(int priority, int levels);
    }

    /**
     * The backlogs at one moment.
     *
     * @param at the time of the reading
     * @param requests of each priority, from 0; those of topics that are replaced included
     * @param replaced of them, those that are in topics that are replaced
     * @param responses responses that analyzers have not handled
     * @param items items that no pipeline has read; while no pipeline reports that, those that are in no finished file
     * @param unfinished items that are in no finished file, at most: records of transactions count, too
     * @param errors records that the topic of errors holds
     */
    public record BacklogReading(Instant at, List<Long> requests, List<Long> replaced, long responses, long items,
            long unfinished, long errors) {
        /**
         * By the names of the channels: {@code requests.p2}, {@code responses}, {@code items}.
         *
         * @param waiting bounds the offsets of requests, of which records of transactions take some
         */
        Map<String, Long> byChannel(UnansweredRequests waiting) {
            Map<String, Long> all = new TreeMap<>(Map.of("responses", responses, "items", items));
            for (int p = 0; p < requests.size(); p++) {
                int priority = p;
                long offsets = requests.get(p);
                all.put("requests.p" + p,
                        waiting.of(priority, requests.size()).map(n -> Math.min(n, offsets)).orElse(offsets));
            }
            return all;
        }
    }

    /**
     * @param topicBacklog owned and closed by this object
     * @param channels the request topics, once they are known
     * @param unansweredRequests asked at each reading
     * @param unreadItems started and closed by this object
     */
    public QueueWatch(TopicBacklog topicBacklog, TopicNames topicNames, ControlView control,
            Supplier<Optional<Channels>> channels, UnansweredRequests unansweredRequests, UnreadItems unreadItems,
            Time time, MeterRegistry meters) {
        this.topicBacklog = topicBacklog;
        this.topicNames = topicNames;
        this.control = control;
        this.channels = channels;
        this.unansweredRequests = unansweredRequests;
        this.unreadItems = unreadItems;
        this.time = time;
        this.meters = meters;
        this.moved = time.nanos();
        this.task = new PeriodicTask("queue", EVERY, time, this::look);
    }

    /** Starts the threads. */
    public void start() {
        unreadItems.start();
        task.start();
    }

    /** The latest reading; empty before the first one. It is old if the broker does not answer. */
    public Optional<BacklogReading> latest() {
        return latest;
    }

    /**
     * The keys of the sinks that were behind at the last reading ({@link io.trawl.channel.offset.StoredPosition#key}).
     */
    public Set<String> sinksBehind() {
        return sinksBehind;
    }

    /** What waited in each channel at the last reading within the duration before a moment. */
    public Map<String, Long> before(Instant end, Duration within) {
        return past.before(end, within);
    }

    /**
     * Reads how many requests wait at each priority now.
     *
     * @throws KafkaException if the broker does not answer
     */
    public long[] requests(Channels of) throws InterruptedException {
        return requests(of, topicBacklog.read(Map.of(topicNames.downloaderGroup(), requestTopics(of)), Set.of()));
    }

    private List<String> requestTopics(Channels of) {
        return of.waiting().stream().flatMap(topics -> topicNames.requests(topics).stream()).toList();
    }

    private long[] requests(Channels of, Reading reading) {
        long[] all = new long[of.levels()];
        for (Channels topics : of.waiting()) {
            List<String> names = topicNames.requests(topics);
            for (int p = 0; p < names.size(); p++) {
                all[of.level(p)] += reading.of(topicNames.downloaderGroup(), names.get(p));
            }
        }
        return all;
    }

    private void look() throws InterruptedException {
        Optional<Channels> known = channels.get();
        if (known.isEmpty()) {
            return;
        }
        if (rests(known.get())) {
            past.add(time.now(), latest.orElseThrow().byChannel(unansweredRequests));
            return;
        }
        try {
            BacklogReading now = reading(known.get());
            latest = Optional.of(now);
            past.add(now.at(), now.byChannel(unansweredRequests));
            show(now.requests().size());
        } catch (KafkaException e) {
            LOG.debug("cannot read the backlogs now: {}", e.getMessage());
        }
    }

    private boolean rests(Channels known) {
        Movement now = new Movement(unreadItems.counts(), IntStream.range(0, known.levels())
                .mapToObj(level -> unansweredRequests.of(level, known.levels())).toList());
        if (!now.equals(last) || known.replaced().isPresent() || known.responseLayout().changing()) {
            last = now;
            moved = time.nanos();
        }
        return time.nanos() - moved > COMMITTED.toNanos()
                && latest.filter(reading -> time.now().isBefore(reading.at().plus(RESTING))).isPresent();
    }

    private BacklogReading reading(Channels known) throws InterruptedException {
        Optional<String> archive = Optional.of(topicNames.archiveGroup()).filter(_ -> control.archives());
        Map<String, List<String>> read = new HashMap<>(
                Map.of(topicNames.downloaderGroup(), requestTopics(known), topicNames.pipelineGroup(),
                        List.of(topicNames.items()), topicNames.analyzerGroup(), List.of(topicNames.responses())));
        archive.ifPresent(group -> read.put(group, List.of(topicNames.responses())));
        Reading reading = topicBacklog.read(read, List.of(topicNames.errors()));
        sinksBehind = reading.sinksBehind(topicNames.pipelineGroup());
        long unfinished = reading.of(topicNames.pipelineGroup(), topicNames.items());
        return new BacklogReading(time.now(), Arrays.stream(requests(known, reading)).boxed().toList(),
                known.replacedChannels().map(old -> Arrays.stream(requests(old, reading)).boxed().toList()).orElse(
                        List.of()),
                reading.ofResponses(topicNames.responses(), topicNames.analyzerGroup(), archive),
                unreadItems.now().map(unread -> Math.min(unread, unfinished)).orElse(unfinished), unfinished,
                reading.kept(topicNames.errors()));
    }

    private void show(int levels) {
        for (int p = 0; p < levels; p++) {
            int priority = p;
            gauge("requests.p" + p, r -> r.requests().get(priority));
        }
        gauge("responses", BacklogReading::responses);
        gauge("items", BacklogReading::items);
    }

    private void gauge(String channel, ToDoubleFunction<BacklogReading> value) {
        if (shown.add(channel)) {
            Gauge.builder("trawl.queue.backlog", this, w -> w.latest.map(value::applyAsDouble).orElse(Double.NaN))
                    .description("Offsets that the next stage has not handled, and items that it has not read")
                    .tag("channel", channel).register(meters);
        }
    }

    /** Stops the threads. */
    @Override
    public void close() {
        unreadItems.close();
        task.close();
        topicBacklog.close();
    }

    /** The readings of the last minutes. Thread-safe. */
    private static final class PastReadings {
        private final Duration keep;
        private final TreeMap<Instant, Map<String, Long>> byTime = new TreeMap<>();

        PastReadings(Duration keep) {
            this.keep = keep;
        }

        synchronized void add(Instant at, Map<String, Long> byChannel) {
            byTime.put(at, byChannel);
            byTime.headMap(at.minus(keep), false).clear();
        }

        /** The last reading within the duration before the end; empty if there is none. */
        synchronized Map<String, Long> before(Instant end, Duration within) {
            return Optional.ofNullable(byTime.floorEntry(end)).filter(last -> last.getKey().isAfter(end.minus(within)))
                    .map(Map.Entry::getValue).orElse(Map.of());
        }
    }
}
