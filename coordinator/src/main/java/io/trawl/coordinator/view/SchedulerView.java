package io.trawl.coordinator.view;

import io.trawl.control.StopSign.SignScope;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.coordinator.call.ModuleReply.CallReply;
import io.trawl.coordinator.leader.CrawlSummaries;
import io.trawl.coordinator.leader.FleetStatus;
import io.trawl.coordinator.leader.StopSignControl;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.Tally;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registration;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the summary of a scheduler: it asks each module for its own values. Thread-safe; calls block for some seconds
 * at most.
 */
public record SchedulerView(FleetStatus fleet, CrawlSummaries crawls, StopSignControl stopSigns, ModuleCalls calls,
        Tally tally) {
    /** What a module says of itself. */
    public static final ModuleQuestion<ModuleSummary> SUMMARY = ModuleQuestion.get("/summary", Map.of(),
            Duration.ofSeconds(5), ModuleSummary.class);

    /**
     * The summary of a crawl, or of all of them.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public SchedulerSummary summary(Optional<CrawlId> crawl) throws InterruptedException {
        FleetSummary all = fleet.summary(CrawlQuery.ALL);
        Map<MID, ModuleSummary> answers = answers(all.modules());
        if (crawl.isEmpty()) {
            return SchedulerSummary.of(all, all.crawls(), answers, all.queue().status(), tally.urls(),
                    stopSigns.of(SignScope.FLEET));
        }
        CrawlSummary one = crawls.crawl(crawl.get());
        return SchedulerSummary.of(all, List.of(one), answers, one.state().name().toLowerCase(Locale.ROOT),
                tally.urls(one.run()), stopSigns.of(crawl.get()));
    }

    /** A module that has left, or hangs, has counts that are known, and no values of its own. */
    private Map<MID, ModuleSummary> answers(List<Registration> live) throws InterruptedException {
        Map<MID, ModuleSummary> answers = new HashMap<>();
        for (CallReply<ModuleSummary> reply : calls.all(live.stream().map(Registration::mid).toList(), SUMMARY)) {
            if (reply instanceof ModuleReply.AnswerOf<ModuleSummary>(MID by, ModuleSummary summary)) {
                answers.put(by, summary);
            }
        }
        return answers;
    }
}
