package io.trawl.coordinator.api;

import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.view.SchedulerView;
import io.trawl.coordinator.view.HostCalls;
import io.trawl.coordinator.view.ItemCalls;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.TopicTail;
import io.trawl.coordinator.leader.ChannelControl;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.DefinitionControl;
import io.trawl.coordinator.leader.DomainControl;
import io.trawl.coordinator.leader.FleetStatus;
import io.trawl.coordinator.leader.LeaderElection;
import io.trawl.coordinator.leader.LeaderLookup;
import io.trawl.coordinator.leader.QueueControl;
import io.trawl.coordinator.leader.RetryControl;
import io.trawl.coordinator.leader.SettingsControl;
import io.trawl.coordinator.leader.StopSignControl;
import io.trawl.coordinator.leader.VisitCounter;
import io.trawl.coordinator.probe.Explainer;
import io.trawl.coordinator.probe.Previewer;
import io.trawl.model.CrawlerError;
import io.trawl.time.Time;

/** What the routes call, once the coordinator is there. */
public record ApiServices(LeaderLookup leader, LeaderElection election, Commands commands, Views views, Feeds feeds,
        ModuleCalls calls, Time time) {
    /** What changes something; most of it in the term of the leader. */
    public record Commands(CrawlControl crawls, DefinitionControl definitions, DomainControl domains,
            StopSignControl stopSigns, SettingsControl settings, ChannelControl channels, QueueControl queue,
            RetryControl retries) {}

    /** What shows something. */
    public record Views(FleetStatus fleet, SchedulerView scheduler, Explainer explainer, Previewer previewer,
            ItemCalls items, HostCalls hosts, VisitCounter visits) {}

    /** What callers follow. */
    public record Feeds(TopicTail<CrawlerError> errors, TopicTail<CrawlEvent> events) {}
}
