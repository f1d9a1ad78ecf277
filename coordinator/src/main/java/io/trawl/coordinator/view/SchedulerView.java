package io.trawl.coordinator.view;

import io.trawl.control.StopSign.SignScope;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.FleetStatus;
import io.trawl.coordinator.leader.StopSignControl;
import io.trawl.coordinator.probe.ModuleSummaryCalls;
import io.trawl.coordinator.probe.ModuleSummaryCalls.SilentModuleException;
import io.trawl.coordinator.probe.ModuleSummaryCalls.UnknownModuleException;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.Tally;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Makes the summary of a scheduler: it asks each module for its own values. Thread-safe; calls block for some seconds
 * at most.
 */
public final class SchedulerView {
    private final FleetStatus fleet;
    private final CrawlControl crawls;
    private final StopSignControl stopSigns;
    private final ModuleSummaryCalls modules;
    private final Tally tally;

    /** The parts that know the numbers. */
    public SchedulerView(FleetStatus fleet, CrawlControl crawls, StopSignControl stopSigns, ModuleSummaryCalls modules,
            Tally tally) {
        this.fleet = fleet;
        this.crawls = crawls;
        this.stopSigns = stopSigns;
        this.modules = modules;
        this.tally = tally;
    }

    /**
     * The summary of a crawl, or of all of them.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public SchedulerSummary summary(Optional<CrawlId> crawl) throws InterruptedException {
        FleetSummary all = fleet.summary();
        Map<MID, ModuleSummary> answers = answers(all.modules());
        if (crawl.isEmpty()) {
            return SchedulerSummary.of(all, all.crawls(), answers, all.queue().status(), tally.urls(),
                    stopSigns.of(SignScope.FLEET));
        }
        CrawlSummary one = crawls.crawl(crawl.get());
        return SchedulerSummary.of(all, List.of(one), answers, one.state().name().toLowerCase(Locale.ROOT),
                tally.urls(one.run()), stopSigns.of(crawl.get()));
    }

    private Map<MID, ModuleSummary> answers(List<Registration> live) {
        Map<MID, ModuleSummary> answers = new ConcurrentHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            live.forEach(module -> threads.submit(() -> {
                try {
                    answers.put(module.mid(), modules.of(module.mid().toString()));
                } catch (UnknownModuleException | SilentModuleException e) {
                    // It has left, or hangs: its counts are known, its own values are not.
                }
                return true;
            }));
        }
        return answers;
    }
}
