package io.trawl.coordinator;

import io.trawl.control.CrawlState;
import io.trawl.coordinator.api.CrawlDesk;
import io.trawl.coordinator.api.FleetDesk;
import io.trawl.coordinator.api.FleetSummary;
import io.trawl.coordinator.api.History;
import io.trawl.coordinator.api.Seat;
import io.trawl.coordinator.queue.QueueSummary;
import io.trawl.coordinator.queue.QueueWatch.Reading;
import io.trawl.coordinator.summary.Activity;
import io.trawl.coordinator.workers.ModuleSummaries;
import io.trawl.coordinator.workers.WorkerCalls;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.Summary;
import io.trawl.worker.WorkerContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Knows the deployment as it is seen from here. Thread-safe. */
final class LiveFleet implements FleetDesk {
    private final CoordinatorParts parts;
    private final WorkerContext context;
    private final Seat seat;
    private final CrawlDesk crawls;
    private final WorkerCalls calls;

    LiveFleet(CoordinatorParts parts, Seat seat, CrawlDesk crawls, WorkerCalls calls) {
        this.calls = calls;
        this.parts = parts;
        this.context = parts.context();
        this.seat = seat;
        this.crawls = crawls;
    }

    @Override
    public FleetSummary summary() {
        List<Registration> modules = modules();
        Optional<MID> leader = seat.leading()
                ? Optional.of(context.mid())
                : modules.stream().filter(LeaderSeat::saysItLeads).map(Registration::mid).findFirst();
        return FleetSummary.of(leader, parts.book().channels(), queue(), modules, crawls.crawls());
    }

    @Override
    public QueueSummary queue() {
        boolean running = parts.book().crawls().stream().anyMatch(c -> c.state() == CrawlState.STARTED);
        return QueueSummary.of(parts.book().channels().map(parts::capacity), parts.queue().latest(), parts.tally().traffic(),
                running,
                context.settings().downloader().responseBacklog(), parts.refusals().counts());
    }

    @Override
    public History history() {
        return History.of(parts.tally().recent(context.time().now()),
                end -> parts.queue().before(end, Activity.STEP).map(Reading::byChannel).orElse(Map.of()));
    }

    @Override
    public Summary module(MID mid) throws InterruptedException {
        return new ModuleSummaries(calls, context.registrar()).of(mid);
    }

    @Override
    public List<Registration> modules() {
        return context.registrar().all();
    }
}
