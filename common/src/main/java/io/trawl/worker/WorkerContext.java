package io.trawl.worker;

import io.trawl.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.admission.AcceptedDomains;
import io.trawl.channel.ErrorsChannel;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.control.ControlView;
import io.trawl.control.DomainsMirror;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.Attempts;
import io.trawl.lease.PartitionLeases;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Pulse;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.module.Registrar;
import io.trawl.plugin.Plugins;
import io.trawl.robots.FleetRobots;
import io.trawl.time.Time;
import io.trawl.trace.Tracer;

/**
 * What the skeleton hands to a stage.
 *
 * @param settings of the process
 * @param time the clock
 * @param mid this process
 * @param topics the names
 * @param kafka makes clients
 * @param control what has been read of {@code control}; it was read to its end before the stage was made
 * @param ledger facts about URLs
 * @param marks answered offsets
 * @param attempts what processes have died over
 * @param pulse tells a loss of what the ledger and the marks were told
 * @param leases on partitions of the requests
 * @param domains accepted domains
 * @param domainsMirror where the leader writes accepted domains for {@code domains}
 * @param robots the robots.txt files that the fleet has asked for
 * @param registrar who is alive
 * @param errors where errors are reported; never blocks
 * @param counters to be moved by the stage
 * @param meters for metrics
 * @param plugins what users have added
 * @param tracer begins spans, and carries traces from record to record
 * @param failures where a thread of the stage reports what it cannot survive: the process says so and ends
 */
public record WorkerContext(Settings settings, Time time, MID mid, Topics topics, KafkaClients kafka, ControlView control,
        Ledger ledger,
        AnsweredMarks marks, Attempts attempts, Pulse pulse, PartitionLeases leases, AcceptedDomains domains,
        DomainsMirror domainsMirror,
        FleetRobots robots,
        Registrar registrar,
        ErrorsChannel errors,
        Counters counters,
        MeterRegistry meters,
        Plugins plugins,
        Tracer tracer,
        Failures failures) {
    /** Where a thread reports what it cannot survive. Thread-safe. */
    @FunctionalInterface
    public interface Failures {
        /** Ends the process with this explanation; returns at once. */
        void fatal(String explanation, Throwable cause);
    }
}
