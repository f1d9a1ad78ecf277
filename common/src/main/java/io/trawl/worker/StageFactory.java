package io.trawl.worker;

import io.trawl.settings.Settings;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.model.ModuleKind;
import io.trawl.time.Time;

/** Makes the stage of one process. Its methods are called once each, in the order {@code endpoint}, {@code prepare}, {@code create}. */
public interface StageFactory {
    /** The kind of module, which gives the MID its letter. */
    ModuleKind kind();

    /** Binds the endpoint. */
    default Endpoint endpoint(Settings settings) {
        return new AdminEndpoint(settings);
    }

    /** Called when Kafka answers, before anything is read: a coordinator makes the topics here. */
    default void prepare(Settings settings, Topics topics, KafkaClients kafka, Time time) {}

    /** Wires the stage; starts nothing. */
    Stage create(WorkerContext context);
}
