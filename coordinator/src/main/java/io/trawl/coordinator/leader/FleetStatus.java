package io.trawl.coordinator.leader;

import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlId;
import java.util.Optional;
import java.util.function.Supplier;
import io.trawl.control.CrawlState;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.coordinator.summary.Activity;
import io.trawl.coordinator.summary.Advice;
import io.trawl.coordinator.summary.Counting;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.History;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.SerialNumbers.Position;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.settings.SharedSetting;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Summarises the deployment as this coordinator knows it. Thread-safe. */
public final class FleetStatus {
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final LeaderLookup leader;
    private final CrawlSummaries crawls;
    private final Supplier<List<String>> notes;
    private final Supplier<Map<ModuleKind, Instant>> missing;

    /**
     * @param crawls provides the summary of each crawl
     * @param notes what an operator should know about the deployment
     * @param missing the kinds of module of which none was registered at the last look, and since when
     */
    public FleetStatus(CoordinatorContext parts, LeaderLookup leader, CrawlSummaries crawls,
            Supplier<List<String>> notes, Supplier<Map<ModuleKind, Instant>> missing) {
        this.parts = parts;
        this.context = parts.context();
        this.leader = leader;
        this.crawls = crawls;
        this.notes = notes;
        this.missing = missing;
    }

    /** The summary of the whole fleet. @param query the crawls that it shows */
    public FleetSummary summary(CrawlQuery query) {
        List<Registration> modules = modules();
        // Before the numbers, as everywhere: they are complete if nothing was left to count before they were read.
        Optional<Counting> counting = parts.tally().counting();
        QueueSummary queue = queue();
        FleetSummary summary = FleetSummary.of(leader.among(modules),
                parts.controlState().channels().map(Channels::withoutRuns), queue, modules, crawls.crawls(query),
                counting, notes(modules), missing.get(), serials(), advice(modules, queue));
        return context.store().registrar().refusal().map(summary::unregistered).orElse(summary);
    }

    /**
     * Those of the deployment, for a day of a loss in Kafka, and those of its processes: one line for all that say the
     * same.
     */
    private List<String> notes(List<Registration> modules) {
        Stream<String> losses = context.control().kafkaLoss()
                .filter(loss -> loss.at().isAfter(context.time().now().minus(Duration.ofDays(1)))).map(KafkaLoss::text)
                .stream();
        return Stream.of(notes.get().stream(), losses, Registration.notes(modules, Registration.ALL_CRAWLS).stream())
                .flatMap(each -> each).toList();
    }

    /** While a process waits for what does not come, the speed of stages is no measure. */
    private Optional<Advice> advice(List<Registration> modules, QueueSummary queue) {
        if (modules.stream().anyMatch(module -> module.state() instanceof WaitingFor)) {
            return Optional.empty();
        }
        return parts.controlState().channels()
                .flatMap(channels -> Advice.of(modules, parts.rates().latest(),
                        Map.of(ModuleKind.DOWNLOADER, channels.partitions(), ModuleKind.ANALYZER, channels.responses(),
                                ModuleKind.PIPELINE, channels.items()),
                        queue.levels().stream().mapToLong(QueueSummary.Level::waiting).sum()));
    }

    private Map<ModuleKind, Position> serials() {
        Map<ModuleKind, Position> serials = new EnumMap<>(ModuleKind.class);
        for (ModuleKind kind : ModuleKind.values()) {
            serials.put(kind, context.identity().serials().position(kind));
        }
        return serials;
    }

    /** The backlogs and the traffic of the channels. */
    public QueueSummary queue() {
        Optional<Counting> counting = parts.tally().counting();
        boolean running = parts.controlState().crawls().stream().anyMatch(c -> c.state() == CrawlState.STARTED);
        return QueueSummary.of(parts.controlState().channels().map(parts::capacity), parts.queue().latest(),
                parts.tally().traffic(), running, parts.inForce().number(SharedSetting.RESPONSE_BACKLOG),
                parts.inForce().number(SharedSetting.ITEM_BACKLOG), parts.refusals().counts(), counting,
                parts.controlState().channels(), missing.get().keySet());
    }

    /** The throughput and the backlogs of the last ten minutes. */
    public History history() {
        Instant now = context.time().now();
        return History.of(parts.tally().recent(now), now, end -> parts.queue().before(end, Activity.STEP));
    }

    /**
     * The throughput by minutes.
     *
     * @param crawl only of the current run of this crawl; empty for all
     * @param minutes how many, a day at most
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public History history(Optional<CrawlId> crawl, int minutes) throws InterruptedException {
        Instant now = context.time().now();
        Optional<CrawlRun> run = crawl.isEmpty() ? Optional.empty() : Optional.of(crawls.run(crawl.get()));
        return History.byMinutes(parts.tally().minutes(run, now, minutes), now);
    }

    /** The live processes. */
    public List<Registration> modules() {
        return context.store().registrar().all();
    }
}
