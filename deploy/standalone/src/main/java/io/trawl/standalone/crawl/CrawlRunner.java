package io.trawl.standalone.crawl;

import io.trawl.pipeline.manifest.EndedRun;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.api.ItemKind;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.Figures;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.client.SeedSource;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.CrawlOutcome;
import io.trawl.standalone.text.CrawlOutcome.RunOutput;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.time.Time;
import io.trawl.worker.ShutdownRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a plan: starts all processes, defines the crawl or attaches to it, and watches it until it has ended or a
 * stop is requested. After a failure of any kind, the next run with the same plan resumes.
 *
 * @param stop requests a graceful shutdown
 * @param progress shows the progress
 */
public record CrawlRunner(CrawlPlan plan, ShutdownRequest stop, ProgressDisplay progress, Time time) {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlRunner.class);
    private static final Duration POLL = Duration.ofMillis(250);
    /** Short, since each of these steps delays the first page. */
    private static final Duration RETRY = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TO_TELL = Duration.ofSeconds(3);

    /** A stop was requested before the crawl was defined. */
    private static final class Asked extends RuntimeException {
        Asked() {
            super("stopped");
        }
    }

    /**
     * Runs the crawl.
     *
     * @return the outcome; empty if a stop was requested before the start
     * @throws UserMistakeException if the plan does not match the existing crawl
     * @throws io.trawl.embedded.EmbeddedServerException if the servers cannot be started
     */
    public Optional<CrawlOutcome> run() throws InterruptedException {
        OutputFolder output = OutputFolder.open(plan.out(), plan.crawl());
        progress.say("starting Kafka and Redis on " + plan.data());
        try (LocalFleet fleet = LocalFleet.start(plan.fleet(), plan.replay().map(ReplayedArchives::index))) {
            return watched(fleet, output);
        } catch (Asked e) {
            return Optional.empty();
        }
    }

    private Optional<CrawlOutcome> watched(LocalFleet fleet, OutputFolder output) throws InterruptedException {
        fleet.warning().filter(line -> ShownOnce.isNew(plan.data(), line)).ifPresent(progress::note);
        progress.say("starting coordinator, downloader, analyzer and pipeline");
        URI address = fleet.startCoordinator(LocalFleet.ANY_PORT);
        progress.note("dashboard: " + fleet.dashboard(address));
        try (CoordinatorClient coordinator = new CoordinatorClient(fleet.api(address))) {
            Optional<CrawlSummary> known = settled(fleet, coordinator);
            output.take(fleet.owner(), known.isPresent(), plan.newRun() == NewRun.FRESH);
            boolean begun = known.flatMap(CrawlSummary::startedAt).isPresent() && plan.newRun() == NewRun.NONE;
            CrawlSummary summary = known.isPresent()
                    ? defined(fleet, coordinator, known)
                    : definedAtStart(fleet, coordinator);
            output.belongsTo(fleet.owner(), summary.run());
            CrawlSummary first = summary;
            long started = time.nanos();
            Duration patience = Duration.ZERO;
            if (!over(summary)) {
                fleet.startStages();
                progress.begin(summary);
                summary = followed(fleet, coordinator, summary);
                if (over(summary)) {
                    patience = PATIENCE;
                } else {
                    summary = stopped(fleet, coordinator, summary);
                }
                output.belongsTo(fleet.owner(), summary.run());
            }
            Duration here = Duration.ofNanos(time.nanos() - started);
            Optional<ChangeCounts> changes = manifest(fleet, output, summary, patience);
            CrawlRun run = summary.run();
            SinkFolder out = output.of(fleet.owner());
            return Optional.of(new CrawlOutcome(summary, summary.totals().found() - first.totals().found(), here, begun,
                    over(first),
                    new RunOutput(out.of(ItemKind.PAGE, run), out.of(ItemKind.ERROR, run),
                            Optional.of(out.archive(run)).filter(_ -> plan.definition().archives()), output.latest(),
                            changes),
                    told(coordinator, summary)));
        }
    }

    /**
     * The errors of a run without a page, or else those that are in no file, after a moment in which the processes tell
     * what they have not told yet.
     */
    private List<SeenError> told(CoordinatorClient coordinator, CrawlSummary summary) throws InterruptedException {
        boolean all = CrawlOutcome.withoutPage(summary);
        // A sitemap that is missing is a source, and no error of the totals.
        long wanted = Math.min(CrawlOutcome.MOST_CAUSES,
                all ? summary.errors() + summary.totals().sources() : CrawlOutcome.unfiled(summary));
        List<SeenError> told = List.of();
        try {
            long begun = time.nanos();
            while (told.size() < wanted && time.nanos() - begun < TO_TELL.toNanos()) {
                time.pause(RETRY);
                told = coordinator.errors(plan.crawl()).stream()
                        .filter(error -> summary.startedAt().filter(error.at()::isBefore).isEmpty())
                        .filter(error -> all || summary.errorsByKind().containsKey(error.kind())).toList();
            }
        } catch (CoordinatorUnavailableException e) {
            LOG.info("cannot read the errors: {}", e.getMessage());
        }
        return told;
    }

    /** @param patience how long a pipeline may take to write it @return what it says of the run before */
    private Optional<ChangeCounts> manifest(LocalFleet fleet, OutputFolder output, CrawlSummary summary,
            Duration patience) throws InterruptedException {
        Optional<End> end = summary.end().filter(why -> !why.failed() && (why.reason() == EndReason.FINISHED
                || why.reason().byItself() && summary.definition().refresh().isPresent()));
        if (end.isPresent()) {
            progress.say("writing the manifest");
            output.finished(fleet.owner(), new EndedRun(summary.run(), end.get().at(), summary.refreshed()),
                    plan.definition(), patience, time);
        }
        return end.isPresent() ? output.changes(fleet.owner(), summary.run()) : Optional.empty();
    }

    /** The crawl, once it is not in a transient state. */
    private Optional<CrawlSummary> settled(LocalFleet fleet, CoordinatorClient coordinator)
            throws InterruptedException {
        Optional<CrawlSummary> known = counted(fleet, coordinator);
        if (known.map(CrawlSummary::state).filter(CrawlState::passing).isPresent()) {
            fleet.startStages();
            while (known.map(CrawlSummary::state).filter(CrawlState::passing).isPresent()) {
                known.map(CrawlText::inBrief).ifPresent(progress::say);
                pause();
                known = patiently(fleet, () -> coordinator.crawl(plan.crawl()));
            }
        }
        return known;
    }

    /** The crawl, once the coordinator has counted the ledger; only then a coordinator leads. */
    private Optional<CrawlSummary> counted(LocalFleet fleet, CoordinatorClient coordinator)
            throws InterruptedException {
        Optional<CrawlSummary> known = patiently(fleet, () -> coordinator.crawl(plan.crawl()));
        while (known.flatMap(CrawlSummary::counting).isPresent()) {
            pause();
            known = patiently(fleet, () -> coordinator.crawl(plan.crawl()));
            known.flatMap(CrawlSummary::counting).ifPresent(
                    counting -> progress.say("counting what earlier runs have done, " + counting.percent() + " %"));
        }
        return known;
    }

    /**
     * Defines a crawl that is new and will be fetched in any case: the stages start while the coordinator is elected.
     */
    private CrawlSummary definedAtStart(LocalFleet fleet, CoordinatorClient coordinator) throws InterruptedException {
        try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CrawlSummary> definition = thread.submit(() -> defined(fleet, coordinator, Optional.empty()));
            fleet.startStages();
            return definition.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    private CrawlSummary defined(LocalFleet fleet, CoordinatorClient coordinator, Optional<CrawlSummary> known)
            throws InterruptedException {
        if (plan.newRun() == NewRun.FRESH
                && known.map(CrawlSummary::state).filter(CrawlState.STARTED::equals).isPresent()) {
            fleet.startStages();
            CrawlSummary stopping = patiently(fleet, () -> coordinator.stop(plan.crawl()));
            while (stopping.state() != CrawlState.STOPPED) {
                progress.say(CrawlText.inBrief(stopping));
                pause();
                stopping = patiently(fleet, () -> coordinator.crawl(plan.crawl())).orElse(stopping);
            }
        }
        if (plan.seeds().isEmpty()) {
            return patiently(fleet, () -> coordinator.define(plan.crawl(), plan.definition(), plan.newRun()));
        }
        // A crawl that is started before its seeds would end at once.
        patiently(fleet, () -> coordinator.defineOnly(plan.crawl(), plan.definition(), plan.newRun()));
        settled(fleet, coordinator);
        progress.say("submitting the seeds of " + plan.seeds().get().name());
        SubmittedSeeds submitted = coordinator.seeds(plan.crawl(), plan.seeds().get(), progress::say);
        if (!submitted.refused().isEmpty()) {
            progress.note(Figures.count(submitted.seeds(), "seed") + ": " + SeedSource.refusals(submitted));
        }
        Optional<String> useless = SeedSource.useless(submitted).filter(_ -> plan.definition().starts().isEmpty());
        if (useless.isPresent() && (submitted.seeds() > 0 || patiently(fleet, () -> coordinator.crawl(plan.crawl()))
                .filter(begun -> begun.totals().emitted() > 0).isEmpty())) {
            throw new UserMistakeException(useless.get());
        }
        return patiently(fleet, () -> coordinator.define(plan.crawl(), plan.definition(), false));
    }

    private CrawlSummary followed(LocalFleet fleet, CoordinatorClient coordinator, CrawlSummary first)
            throws InterruptedException {
        CrawlSummary summary = first;
        while (!over(summary) && !stop.within(POLL)) {
            summary = patiently(fleet, () -> coordinator.progress(plan.crawl())).orElse(summary);
            progress.show(summary);
        }
        return over(summary) ? whole(coordinator, summary) : summary;
    }

    /** The same with the seeds of its definition, if the coordinator still answers. */
    private CrawlSummary whole(CoordinatorClient coordinator, CrawlSummary brief) throws InterruptedException {
        try {
            return coordinator.crawl(plan.crawl()).orElse(brief);
        } catch (CoordinatorUnavailableException e) {
            LOG.info("cannot read the last figures: {}", e.getMessage());
            return brief;
        }
    }

    /** Lets requests in flight finish; the summary includes them. */
    private CrawlSummary stopped(LocalFleet fleet, CoordinatorClient coordinator, CrawlSummary last)
            throws InterruptedException {
        progress.say("stopping after the requests in flight; Ctrl-C again stops at once");
        fleet.stopStages();
        // That no process is running any more is what was asked for.
        return whole(coordinator, last).withNotes(last.notes());
    }

    /** Whether the crawl has ended, for any reason. */
    private static boolean over(CrawlSummary summary) {
        return summary.state() == CrawlState.STOPPED && summary.end().map(End::reason).isPresent();
    }

    private interface Question<T> {
        T ask() throws InterruptedException;
    }

    /** Retries until there is an answer: the election of a leader takes a moment. */
    private <T> T patiently(LocalFleet fleet, Question<T> question) throws InterruptedException {
        long begun = time.nanos();
        while (true) {
            fleet.check(progress::note);
            try {
                return question.ask();
            } catch (CoordinatorUnavailableException e) {
                LOG.info("{}; retrying", e.getMessage());
                if (time.nanos() - begun > PATIENCE.toNanos()) {
                    throw e;
                }
                pause();
            }
        }
    }

    private void pause() throws InterruptedException {
        if (stop.within(RETRY)) {
            throw new Asked();
        }
    }
}
