package io.trawl.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.channel.ErrorChannel;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.KeptPositions;
import io.trawl.control.ControlView;
import io.trawl.ledger.Ledger;
import io.trawl.memory.HeapWatch;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.module.SerialNumbers;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsInForce;
import io.trawl.store.Store;
import io.trawl.telemetry.Tracing;
import io.trawl.telemetry.WriteOutage;
import io.trawl.time.Time;

/**
 * The dependencies of a stage, from the worker.
 *
 * @param settings of the process
 * @param time the clock
 * @param control the view of {@code control}; it was read to its end before the stage was created
 * @param ledger facts about URLs, from Redis
 * @param plugins plug-ins of users
 * @param failures threads of the stage report fatal errors here: the process logs them and ends
 */
public record WorkerContext(Settings settings, Time time, Identity identity, Kafka kafka, ControlView control,
        Store store, Ledger ledger, Telemetry telemetry, Plugins plugins, FailureHandler failures) {
    /**
     * Who this process is.
     *
     * @param ids those of the Kafka cluster and the topics
     * @param serials of modules
     */
    public record Identity(MID mid, KafkaIdentity.Ids ids, SerialNumbers serials) {}

    /**
     * Kafka, as this process uses it.
     *
     * @param topics the names of topics and groups
     * @param counts how many partitions of each topic carry records
     * @param clients creates clients; its producers heed the counts
     * @param positions what groups have committed, if the broker has forgotten it
     * @param errors reports errors; never blocks
     * @param clocks the clock of the broker, which gives records their times
     * @param writes whether this process leaves its partitions to others, since Kafka takes nothing that it writes
     */
    public record Kafka(TopicNames topics, PartitionCounts counts, KafkaClients clients, KeptPositions positions,
            ErrorChannel errors, ClockWatch clocks, WriteOutage writes) {}

    /**
     * What is measured here.
     *
     * @param counters which the stage increments
     * @param meters for metrics
     * @param tracing starts spans, and carries traces from record to record
     * @param heap whether new work must wait, since the heap is nearly full
     */
    public record Telemetry(Counters counters, MeterRegistry meters, Tracing tracing, HeapWatch heap) {}

    /** This process. */
    public MID mid() {
        return identity.mid();
    }

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
