package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlerError;
import io.trawl.pipeline.sink.DeliveryOutcome.NotStored;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sinks with positions of their own, and which of them fail at the moment. A sink that fails is asked again after a
 * second, then after twice as long up to a minute, and at once when the crawl gives it up. Confined to the pipeline's
 * thread, but for {@link #failing}.
 */
public final class RetriedSinks {
    private static final Logger LOG = LoggerFactory.getLogger(RetriedSinks.class);
    /** The kind of error of a sink that fails, or refuses an item. */
    public static final String KIND = "SINK";
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 6;
    private final Map<String, Sink> byType = new TreeMap<>();
    private final SinkCalls calls;
    private final Predicate<String> wanted;
    private final BiConsumer<String, String> report;
    private final BiFunction<Item, String, CrawlerError> refusal;
    private final LongSupplier nanos;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    private record Outage(int failures, long retryAt, String cause) {}

    /**
     * @param calls makes the calls
     * @param wanted whether a crawl has a sink with this key ({@link StoredPosition#key}), and has not given it up
     * @param report is told the crawl and the cause when a sink begins to fail
     * @param refusal the error of an item that a sink refuses for good, with its cause
     */
    public RetriedSinks(Collection<Sink> sinks, SinkCalls calls, Predicate<String> wanted,
            BiConsumer<String, String> report, BiFunction<Item, String, CrawlerError> refusal, LongSupplier nanos) {
        this.calls = calls;
        sinks.forEach(sink -> byType.put(sink.type(), sink));
        this.wanted = wanted;
        this.report = report;
        this.refusal = refusal;
        this.nanos = nanos;
    }

    /** No sinks. */
    public static RetriedSinks none(LongSupplier nanos) {
        return new RetriedSinks(List.of(), new SinkCalls(Duration.ZERO), _ -> false, (_, _) -> {}, (_, _) -> {
            throw new IllegalStateException("there are no sinks");
        }, nanos);
    }

    /** The types that crawls may choose. */
    public List<String> types() {
        return List.copyOf(byType.keySet());
    }

    /** By key of the sink, why it failed last; only those that fail. */
    public Map<String, String> failing() {
        return outages.entrySet().stream().collect(
                Collectors.toMap(Map.Entry::getKey, outage -> outage.getValue().cause(), (a, b) -> a, TreeMap::new));
    }

    /** Gives items to a sink. What the sink throws is a failure, and so is a call that does not return in time. */
    DeliveryOutcome store(SinkDefinition definition, SinkBatch batch) throws InterruptedException {
        Sink sink = byType.get(definition.type());
        return note(StoredPosition.key(batch.crawl(), batch.sink()), sink == null
                ? new NotStored(
                        "there is no sink of type " + definition.type() + "; available: " + String.join(", ", types()))
                : calls.store(sink, batch));
    }

    /** Notes what became of items, also of those for a topic. @return that */
    DeliveryOutcome note(String key, DeliveryOutcome outcome) {
        if (outcome instanceof NotStored failed) {
            failed(key, failed.cause());
        } else if (outages.remove(key) != null) {
            LOG.info("the sink {} stores items again", key);
        }
        return outcome;
    }

    /** What is told about an item that a sink refuses, instead of that the sink has it. @param given or its chunks */
    ItemAccount refused(ItemAccount told, String sink, List<Item> given, String cause) {
        return new ItemAccount(told.counts().refusedBy(sink, given.size()), told.errors())
                .plus(new ItemAccount(ItemCounts.error(KIND),
                        List.of(refusal.apply(given.getFirst(), "sink " + sink + " refuses it: " + cause))));
    }

    /** Whether a sink wants its items in few large batches. */
    boolean wantsLargeBatches(SinkDefinition definition) {
        return Optional.ofNullable(byType.get(definition.type())).filter(Sink::wantsLargeBatches).isPresent();
    }

    private void failed(String key, String cause) {
        Outage before = outages.getOrDefault(key, new Outage(0, 0, ""));
        if (!before.cause().equals(cause)) {
            LOG.warn("the sink {} fails, and is asked again: {}", key, cause);
        }
        if (before.failures() == 0) {
            int slash = key.indexOf('/');
            report.accept(key.substring(0, slash), "sink " + key.substring(slash + 1) + ": " + cause);
        }
        long pause = FIRST.toNanos() << Math.min(before.failures(), MOST_DOUBLINGS);
        outages.put(key, new Outage(before.failures() + 1, nanos.getAsLong() + pause, cause));
    }

    /** Whether the last items were not stored. */
    boolean fails(String key) {
        return outages.containsKey(key);
    }

    /** Whether a sink that failed is to be asked again now, or is asked no more. */
    boolean due(String key) {
        Outage outage = outages.get(key);
        if (outage != null && !wanted.test(key)) {
            outages.remove(key);
            return true;
        }
        return outage == null || nanos.getAsLong() - outage.retryAt() >= 0;
    }

    /** Closes all of them. */
    public void close() {
        byType.values().forEach(sink -> {
            try {
                sink.close();
            } catch (Exception e) {
                LOG.warn("cannot close the sink {}: {}", sink.type(), e.getMessage());
            }
        });
    }
}
