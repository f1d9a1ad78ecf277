package io.trawl.pipeline.sink;

import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.control.sink.SinkDefinition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sinks of plug-ins, and which of them fail at the moment. A sink that fails is asked again after a second, then after twice as long up to a minute,
 * and at once when the crawl gives it up. Confined to the pipeline's thread, but for {@link #failing}.
 */
public final class PluginSinks {
    private static final Logger LOG = LoggerFactory.getLogger(PluginSinks.class);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 6;
    private final Map<String, Sink> byType = new TreeMap<>();
    private final Predicate<String> wanted;
    private final BiConsumer<String, String> report;
    private final LongSupplier nanos;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    private record Outage(int failures, long retryAt, String cause) {}

    /**
     * @param wanted whether a crawl has a sink with this key ({@link StoredPosition#key}), and has not given it up
     * @param report is told the crawl and the cause when a sink begins to fail
     */
    public PluginSinks(Collection<Sink> sinks, Predicate<String> wanted, BiConsumer<String, String> report, LongSupplier nanos) {
        sinks.forEach(sink -> byType.put(sink.type(), sink));
        this.wanted = wanted;
        this.report = report;
        this.nanos = nanos;
    }

    /** The types that crawls may choose. */
    public List<String> types() {
        return List.copyOf(byType.keySet());
    }

    /** By key of the sink, why it failed last; only those that fail. */
    public Map<String, String> failing() {
        return outages.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, outage -> outage.getValue().cause(), (a, b) -> a, TreeMap::new));
    }

    /** Gives items to a sink. @return whether they are stored; what the plug-in throws is a failure */
    boolean store(SinkDefinition definition, SinkBatch batch) throws InterruptedException {
        String key = StoredPosition.key(batch.crawl(), batch.sink());
        Sink sink = byType.get(definition.type());
        if (sink == null) {
            return failed(key, batch,
                    "there is no sink of type " + definition.type() + "; available: " + String.join(", ", types()));
        }
        try {
            sink.store(batch);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return failed(key, batch, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
        if (outages.remove(key) != null) {
            LOG.info("the sink {} stores items again", key);
        }
        return true;
    }

    private boolean failed(String key, SinkBatch batch, String cause) {
        Outage before = outages.getOrDefault(key, new Outage(0, 0, ""));
        if (before.failures() == 0) {
            LOG.warn("the sink {} fails, and is asked again: {}", key, cause);
            report.accept(batch.crawl(), "sink " + batch.sink() + ": " + cause);
        }
        long pause = FIRST.toNanos() << Math.min(before.failures(), MOST_DOUBLINGS);
        outages.put(key, new Outage(before.failures() + 1, nanos.getAsLong() + pause, cause));
        return false;
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
