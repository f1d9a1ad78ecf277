package io.trawl.coordinator.api;

/**
 * Where the REST interface hands in what it was asked for, one desk for each topic. Calls at a desk block. Those that change something are carried out
 * by the leader, and throw {@link io.trawl.coordinator.lifecycle.LeaderThread.NotLeading} elsewhere; what is refused is told by the exceptions of the
 * lifecycle package.
 */
public record Desks(Seat seat, CrawlDesk crawls, FleetDesk fleet, StopSignDesk stopSigns, DomainDesk domains, ErrorDesk errors,
        EventDesk events,
        PreviewDesk previews) {}
