package io.trawl.pipeline.spi;

import io.trawl.api.Sink;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a sink that comes with Trawl and needs more of the process than a plug-in gets. Its jar names its class as that
 * of a plug-in does.
 */
public interface SinkProvider {
    /** The sink of a pipeline. */
    Sink create(SinkSetup setup);

    /** What reads the stored items; empty if nothing does. Thread-safe. */
    default Optional<SinkReader> stored(SinkSetup setup) {
        return Optional.empty();
    }

    /**
     * What a process gives to a sink.
     *
     * @param variables with the secrets that crawls refer to
     * @param environment with the keys that are used if a crawl names none
     * @param log what the positions of items belong to; another log counts from its own beginning
     * @param answer how long a server may take for a request
     */
    record SinkSetup(CrawlVariables variables, Map<String, String> environment, Supplier<String> log, Duration answer,
            Time time) {}

    /** The items that sinks of one type have stored. */
    interface SinkReader {
        /** Whether a sink is of this type. */
        boolean reads(SinkDefinition sink);

        /** The files of a sink, with the items of a run. @throws IOException if this process lacks a secret */
        StoredFiles of(SinkDefinition sink, CrawlRun run) throws IOException;
    }
}
