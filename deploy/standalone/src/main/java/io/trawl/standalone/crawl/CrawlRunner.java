package io.trawl.standalone.crawl;

import io.trawl.worker.StopRequest;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.model.CrawlRun;
import io.trawl.standalone.CoordinatorClient;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.report.Outcome;
import io.trawl.standalone.report.Progress;
import io.trawl.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a plan: starts everything, defines the crawl or attaches to it, and watches it until it has ended or somebody asks to stop. Whatever
 * happens on the way, the next run with the same plan goes on from there.
 */
public final class CrawlRunner {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlRunner.class);
    private static final Duration POLL = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private final CrawlPlan plan;
    private final StopRequest stop;
    private final Progress progress;
    private final Time time;

    /**
     * Prepares a run.
     *
     * @param stop asked for a clean stop
     * @param progress shows how far it is
     */
    public CrawlRunner(CrawlPlan plan, StopRequest stop, Progress progress, Time time) {
        this.plan = plan;
        this.stop = stop;
        this.progress = progress;
        this.time = time;
    }

    /** Somebody asked to stop before there was anything to watch. */
    private static final class Asked extends RuntimeException {
        Asked() {
            super("stopped");
        }
    }

    /**
     * Runs the crawl.
     *
     * @return how far it has come: empty if it was asked to stop before it had begun
     * @throws UserMistake if the plan does not fit what is there
     * @throws io.trawl.embedded.EmbeddedFailure if the servers cannot be started
     */
    public Optional<Outcome> run() throws InterruptedException {
        OutputFolder output = OutputFolder.open(plan.out(), plan.crawl());
        progress.say("starting Kafka and Redis on " + plan.data());
        try (LocalFleet fleet = LocalFleet.start(plan.fleet())) {
            return watched(fleet, output);
        } catch (Asked e) {
            return Optional.empty();
        }
    }

    private Optional<Outcome> watched(LocalFleet fleet, OutputFolder output) throws InterruptedException {
        progress.say("starting coordinator, downloader, analyzer and pipeline");
        URI address = fleet.startCoordinator(LocalFleet.ANY_PORT);
        progress.note("dashboard: " + address + "/");
        try (CoordinatorClient coordinator = new CoordinatorClient(address)) {
            Optional<CrawlSummary> known = settled(fleet, coordinator);
            output.take(fleet.cluster(), known.isPresent(), plan.fresh());
            boolean begun = known.isPresent() && !plan.fresh();
            CrawlSummary summary = defined(fleet, coordinator, known);
            output.belongsTo(fleet.cluster(), summary.run());
            CrawlSummary first = summary;
            long started = time.nanos();
            if (!over(summary)) {
                fleet.startStages();
                progress.begin(summary);
                summary = followed(fleet, coordinator, summary);
                if (!over(summary)) {
                    summary = stopped(fleet, coordinator, summary);
                }
                output.belongsTo(fleet.cluster(), summary.run());
            }
            Duration here = Duration.ofNanos(time.nanos() - started);
            CrawlRun run = summary.run();
            return Optional.of(new Outcome(summary, summary.totals().pages() - first.totals().pages(), here, begun, over(first),
                    output.items(run),
                    output.errors(run)));
        }
    }

    /** What is known of the crawl, once it is in no state that nothing may interrupt. */
    private Optional<CrawlSummary> settled(LocalFleet fleet, CoordinatorClient coordinator) throws InterruptedException {
        Optional<CrawlSummary> known = patiently(fleet, () -> coordinator.crawl(plan.crawl()));
        if (known.map(CrawlSummary::state).filter(CrawlState::passing).isPresent()) {
            fleet.startStages();
            while (known.map(CrawlSummary::state).filter(CrawlState::passing).isPresent()) {
                pause();
                known = patiently(fleet, () -> coordinator.crawl(plan.crawl()));
            }
        }
        return known;
    }

    private CrawlSummary defined(LocalFleet fleet, CoordinatorClient coordinator, Optional<CrawlSummary> known)
            throws InterruptedException {
        if (plan.fresh() && known.map(CrawlSummary::state).filter(CrawlState.STARTED::equals).isPresent()) {
            fleet.startStages();
            CrawlSummary stopping = patiently(fleet, () -> coordinator.stop(plan.crawl()));
            while (stopping.state() != CrawlState.STOPPED) {
                pause();
                stopping = patiently(fleet, () -> coordinator.crawl(plan.crawl())).orElse(stopping);
            }
        }
        return patiently(fleet, () -> coordinator.define(plan.crawl(), plan.definition(), plan.fresh()));
    }

    private CrawlSummary followed(LocalFleet fleet, CoordinatorClient coordinator, CrawlSummary first)
            throws InterruptedException {
        CrawlSummary summary = first;
        while (!over(summary) && !stop.within(POLL)) {
            summary = patiently(fleet, () -> coordinator.crawl(plan.crawl())).orElse(summary);
            progress.show(summary);
        }
        return summary;
    }

    /** Lets what is in flight be finished; what it came to is in the summary. */
    private CrawlSummary stopped(LocalFleet fleet, CoordinatorClient coordinator, CrawlSummary last) throws InterruptedException {
        progress.say("stopping when what is in flight is finished; Ctrl-C again ends at once");
        fleet.stopStages();
        try {
            return coordinator.crawl(plan.crawl()).orElse(last);
        } catch (Unavailable e) {
            LOG.info("the last figures cannot be had: {}", e.getMessage());
            return last;
        }
    }

    /** Whether the crawl has come to an end, of whatever kind. */
    private static boolean over(CrawlSummary summary) {
        return summary.state() == CrawlState.STOPPED && summary.end().map(End::reason).isPresent();
    }

    private interface Question<T> {
        T ask() throws InterruptedException;
    }

    /** Asks until there is an answer: it takes a moment until a coordinator leads. */
    private <T> T patiently(LocalFleet fleet, Question<T> question) throws InterruptedException {
        long begun = time.nanos();
        while (true) {
            fleet.trouble().ifPresent(why -> {
                throw new IllegalStateException("cannot go on: " + why + "; started again, the same command goes on from here");
            });
            try {
                return question.ask();
            } catch (Unavailable e) {
                LOG.info("{}; asking again", e.getMessage());
                if (time.nanos() - begun > PATIENCE.toNanos()) {
                    throw e;
                }
                pause();
            }
        }
    }

    private void pause() throws InterruptedException {
        if (stop.within(POLL)) {
            throw new Asked();
        }
    }
}
