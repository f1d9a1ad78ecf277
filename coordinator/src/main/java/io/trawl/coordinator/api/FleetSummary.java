package io.trawl.coordinator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.coordinator.queue.QueueSummary;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import java.util.List;
import java.util.Optional;

/**
 * What people see of a deployment.
 *
 * @param leader the coordinator that leads, if one does
 * @param channels the request topics
 * @param queue how full the channels are, and what has gone through them
 * @param modules the live processes
 * @param crawls all crawls, by id
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FleetSummary(Optional<MID> leader, Optional<Channels> channels, QueueSummary queue,
        List<Registration> modules, List<CrawlSummary> crawls) {}
