package io.trawl.coordinator.leader;

import java.util.TreeSet;
import java.util.Set;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.model.CrawlRun;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.summary.Counting;
import io.trawl.coordinator.summary.CrawlFigures;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetCrawls;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.coordinator.summary.Pace;
import io.trawl.model.CrawlId;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a coordinator knows of crawls, whether it leads or not. Thread-safe. */
public final class CrawlSummaries {
    private final CoordinatorContext parts;
    private final Time time;

    public CrawlSummaries(CoordinatorContext parts) {
        this.parts = parts;
        this.time = parts.context().time();
    }

    /**
     * A crawl. If it is not known here, the control topic is read to its end first.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is none
     */
    public CrawlSummary crawl(CrawlId crawl) throws InterruptedException {
        return summary(parts.controlState().known(crawl));
    }

    /**
     * The current run of a crawl. @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is
     * none
     */
    public CrawlRun run(CrawlId crawl) throws InterruptedException {
        return parts.controlState().known(crawl).run();
    }

    /** Whether there is a crawl of this id, or was one. */
    public boolean known(String id) {
        return parts.controlState().lastRuns().stream().anyMatch(run -> run.crawl().value().equals(id));
    }

    /** All crawls that are known here, by their ids. */
    public List<CrawlFigures> figures() {
        Instant now = time.now();
        return parts.controlState().crawls().stream()
                .map(status -> new CrawlFigures(status, parts.tally().totals(status.run()), pace(status, now).rates()))
                .toList();
    }

    /** The crawls that are known here, without the seeds of their definitions. */
    public FleetCrawls crawls(CrawlQuery query) {
        return FleetCrawls.of(figures(), query, crawl -> domains(crawl.status()), this::brief, time.now());
    }

    /** The summary of a crawl, without the seeds of its definition. */
    public CrawlSummary brief(CrawlFigures crawl) {
        return summary(crawl.status()).brief();
    }

    private Pace pace(CrawlStatus status, Instant now) {
        return parts.tally().pace(status.run(), status.startedAt().orElse(Instant.EPOCH), now);
    }

    /** The summary of a crawl in this state. */
    public CrawlSummary summary(CrawlStatus status) {
        Instant now = time.now();
        // First: if nothing is left to count now, the numbers that are read after it are complete.
        Optional<Counting> counting = parts.tally().counting();
        return CrawlSummary.of(status, domains(status), parts.tally().snapshot(status.run()), pace(status, now),
                counting, parts.rates().live(), parts.queue().sinksBehind(), parts.controlState().kafkaLoss(), now);
    }

    private Set<String> domains(CrawlStatus status) {
        Set<String> domains = new TreeSet<>(parts.controlState().domains(status.run()).domains());
        if (status.definition().scope().ofSeeds()) {
            domains.add(Scope.SEEDS);
        }
        return domains;
    }
}
