package io.trawl.coordinator.api;

import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.view.SchedulerView;
import io.trawl.coordinator.view.RetryCalls;
import io.trawl.coordinator.view.HostCalls;
import io.trawl.coordinator.view.ItemCalls;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.TopicTail;
import io.trawl.coordinator.leader.ChannelControl;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.DomainControl;
import io.trawl.coordinator.leader.FleetStatus;
import io.trawl.coordinator.leader.LeaderElection;
import io.trawl.coordinator.leader.LeaderLookup;
import io.trawl.coordinator.leader.QueueControl;
import io.trawl.coordinator.leader.SettingsControl;
import io.trawl.coordinator.leader.StopSignControl;
import io.trawl.coordinator.probe.Explainer;
import io.trawl.coordinator.probe.Previewer;
import io.trawl.model.CrawlerError;
import io.trawl.time.Time;

/** What the routes call, once the coordinator is there. */
public record ApiServices(LeaderLookup leader, LeaderElection election, CrawlControl crawls, DomainControl domains,
        StopSignControl stopSigns, SettingsControl settings, ChannelControl channels, QueueControl queue,
        FleetStatus fleet, ModuleCalls calls, SchedulerView scheduler, TopicTail<CrawlerError> errors,
        TopicTail<CrawlEvent> events, Previewer previewer, Explainer explainer, ItemCalls items, HostCalls hosts,
        RetryCalls retries, Time time) {}
