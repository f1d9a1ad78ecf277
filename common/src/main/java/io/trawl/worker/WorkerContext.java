package io.trawl.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.admission.AcceptedDomains;
import io.trawl.channel.ErrorChannel;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.KeptPositions;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.DomainMirror;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.DeliveryAttempts;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LogEndStore;
import io.trawl.ledger.RunPermitStore;
import io.trawl.ledger.StoreGeneration;
import io.trawl.memory.HeapWatch;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.module.Registrar;
import io.trawl.module.SerialNumbers;
import io.trawl.module.StopSignHistory;
import io.trawl.plugin.Plugins;
import io.trawl.politeness.HostBudgetStore;
import io.trawl.politeness.HostSessionStore;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.RobotsStore;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsInForce;
import io.trawl.telemetry.Tracing;
import io.trawl.telemetry.WriteOutage;
import io.trawl.time.Time;

/**
 * The dependencies of a stage, from the worker.
 *
 * @param settings of the process
 * @param time the clock
 * @param mid this process
 * @param ids those of the Kafka cluster and the topics
 * @param topics the names of topics and groups
 * @param counts how many partitions of each topic carry records
 * @param kafka creates clients; its producers heed the counts
 * @param positions what groups have committed, if the broker has forgotten it
 * @param control the view of {@code control}; it was read to its end before the stage was created
 * @param ledger facts about URLs
 * @param marks answered offsets
 * @param attempts counts the processes that died over records
 * @param storeGeneration detects loss of the data of the ledger and the marks
 * @param logEnds the ends of Kafka's logs when they were looked at last
 * @param leases on request partitions
 * @param domains accepted domains
 * @param domainsMirror the copy of the accepted domains that the leader writes for {@code domains}
 * @param robots the robots.txt files that the fleet has fetched
 * @param hostBudgets what the runs have used of the budgets of hosts
 * @param hostSessions the sessions of runs at hosts
 * @param runPermits the permits to fetch of runs with limits
 * @param firstItems the first items of runs by their content
 * @param registrar the live modules
 * @param serials of modules
 * @param stopSignHistory what is remembered of stop signs
 * @param errors reports errors; never blocks
 * @param counters which the stage increments
 * @param meters for metrics
 * @param plugins plug-ins of users
 * @param tracing starts spans, and carries traces from record to record
 * @param clocks the clock of the broker, which gives records their times
 * @param writes whether this process leaves its partitions to others, since Kafka takes nothing that it writes
 * @param heap whether new work must wait, since the heap is nearly full
 * @param failures threads of the stage report fatal errors here: the process logs them and ends
 */
public record WorkerContext(Settings settings, Time time, MID mid, KafkaIdentity.Ids ids, TopicNames topics,
        PartitionCounts counts, KafkaClients kafka, KeptPositions positions, ControlView control, Ledger ledger,
        AnsweredMarks marks, DeliveryAttempts attempts, StoreGeneration storeGeneration, LogEndStore logEnds,
        PartitionLeaseStore leases, AcceptedDomains domains, DomainMirror domainsMirror, RobotsStore robots,
        HostBudgetStore hostBudgets, HostSessionStore hostSessions, RunPermitStore runPermits,
        FirstItemStore firstItems, Registrar registrar, SerialNumbers serials, StopSignHistory stopSignHistory,
        ErrorChannel errors, Counters counters, MeterRegistry meters, Plugins plugins, Tracing tracing,
        ClockWatch clocks, WriteOutage writes, HeapWatch heap, FailureHandler failures) {
    /** The settings that are equal in the whole deployment. */
    public SettingsInForce inForce() {
        return new SettingsInForce(settings, control::channels, control::fleetSettings);
    }

    /** Handles fatal errors of threads. Thread-safe. */
    @FunctionalInterface
    public interface FailureHandler {
        /** Ends the process with this explanation; returns at once. */
        void fatal(String explanation, Throwable cause);
    }
}
