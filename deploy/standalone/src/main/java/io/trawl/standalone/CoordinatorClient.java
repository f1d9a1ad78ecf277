package io.trawl.standalone;

import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.Refused;
import java.net.URI;
import java.util.Optional;

/** A crawl's life as seen by who drives it: typed calls over {@link Api}. Calls block, for a minute at most. Thread-safe. */
public final class CoordinatorClient implements AutoCloseable {
    private final Api api;

    /** The coordinator cannot be reached or says that it cannot answer now; it may be worth asking again. */
    public static final class Unavailable extends RuntimeException {
        /** @param message who does not answer, and what to do about it */
        public Unavailable(String message) {
            super(message);
        }
    }

    /** @param base where the coordinator is, for example {@code http://127.0.0.1:8080} */
    public CoordinatorClient(URI base) {
        this(new Api(base));
    }

    /** @param api closed with this client */
    public CoordinatorClient(Api api) {
        this.api = api;
    }

    /**
     * Defines a crawl, or attaches to the one that exists, and starts it.
     *
     * @throws UserMistake if the coordinator refuses
     * @throws Unavailable if it does not answer
     */
    public CrawlSummary define(CrawlId crawl, CrawlDefinition definition, boolean fresh) throws InterruptedException {
        return api.put("/api/crawls/" + crawl + "?start=true&fresh=" + fresh, definition).as(CrawlSummary.class);
    }

    /**
     * A crawl, if there is one of that id.
     *
     * @throws Unavailable if the coordinator does not answer
     */
    public Optional<CrawlSummary> crawl(CrawlId crawl) throws InterruptedException {
        try {
            return Optional.of(api.get("/api/crawls/" + crawl).as(CrawlSummary.class));
        } catch (Refused e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Begins to stop a crawl.
     *
     * @throws UserMistake if its state forbids it
     * @throws Unavailable if the coordinator does not answer
     */
    public CrawlSummary stop(CrawlId crawl) throws InterruptedException {
        return api.post("/api/crawls/" + crawl + "/stop").as(CrawlSummary.class);
    }

    @Override
    public void close() {
        api.close();
    }
}
