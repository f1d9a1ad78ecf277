package io.trawl.standalone.client;

import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Typed calls for running one crawl over {@link Api}. Calls block, for a minute at most. Thread-safe. */
public final class CoordinatorClient implements AutoCloseable {
    private static final int MOST_ERRORS = 1000;
    private final Api api;

    /** @param base the address of the coordinator, for example {@code http://127.0.0.1:8080} */
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
     * @throws UserMistakeException if the coordinator refuses
     * @throws CoordinatorUnavailableException if it does not answer
     */
    public CrawlSummary define(CrawlId crawl, CrawlDefinition definition, boolean fresh) throws InterruptedException {
        return define(crawl, definition, fresh ? NewRun.FRESH : NewRun.NONE);
    }

    /** The same with a choice of its run. */
    public CrawlSummary define(CrawlId crawl, CrawlDefinition definition, NewRun newRun) throws InterruptedException {
        return api.put("/api/v1/crawls/" + crawl + "?start=true" + newRun.query(), definition).as(CrawlSummary.class);
    }

    /** The same without starting it. */
    public CrawlSummary defineOnly(CrawlId crawl, CrawlDefinition definition, NewRun newRun)
            throws InterruptedException {
        return api.put("/api/v1/crawls/" + crawl + "?start=false" + newRun.query(), definition).as(CrawlSummary.class);
    }

    /**
     * Submits a list of seeds.
     *
     * @param progress see {@link SeedSource#submit}
     * @throws UserMistakeException if the coordinator refuses
     */
    public SubmittedSeeds seeds(CrawlId crawl, SeedSource source, Consumer<String> progress)
            throws InterruptedException {
        return source.submit(api, crawl, progress).as(SubmittedSeeds.class);
    }

    /** Starts a crawl. */
    public CrawlSummary start(CrawlId crawl) throws InterruptedException {
        return api.post("/api/v1/crawls/" + crawl + "/start").as(CrawlSummary.class);
    }

    /**
     * A crawl, if it exists.
     *
     * @throws CoordinatorUnavailableException if the coordinator does not answer
     */
    public Optional<CrawlSummary> crawl(CrawlId crawl) throws InterruptedException {
        return crawl("/api/v1/crawls/" + crawl);
    }

    /**
     * The same without the seeds of its definition, of which there may be many, for a caller that asks again and again.
     *
     * @throws CoordinatorUnavailableException if the coordinator does not answer
     */
    public Optional<CrawlSummary> progress(CrawlId crawl) throws InterruptedException {
        return crawl("/api/v1/crawls/" + crawl + "?brief=true");
    }

    private Optional<CrawlSummary> crawl(String path) throws InterruptedException {
        try {
            return Optional.of(api.get(path).as(CrawlSummary.class));
        } catch (ApiRefusal e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * The errors of a crawl that the coordinator still has, the oldest first.
     *
     * @throws CoordinatorUnavailableException if the coordinator does not answer
     */
    public List<SeenError> errors(CrawlId crawl) throws InterruptedException {
        return api.get(new Query("/api/v1/errors").with("crawl", Optional.of(crawl.value())).limit(MOST_ERRORS).text())
                .list(SeenError.class).reversed();
    }

    /**
     * Begins to stop a crawl.
     *
     * @throws UserMistakeException if its state forbids it
     * @throws CoordinatorUnavailableException if the coordinator does not answer
     */
    public CrawlSummary stop(CrawlId crawl) throws InterruptedException {
        return api.post("/api/v1/crawls/" + crawl + "/stop").as(CrawlSummary.class);
    }

    @Override
    public void close() {
        api.close();
    }
}
