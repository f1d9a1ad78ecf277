package io.trawl.worker;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.http.Endpoint;
import io.trawl.model.ModuleKind;
import io.trawl.settings.Settings;
import io.trawl.time.Time;

/**
 * Creates the stage of one process. Its methods are called for each start, in the order {@code endpoint},
 * {@code prepare}, {@code create}.
 */
public interface StageFactory {
    /** The kind of module, which gives the MID its letter. */
    ModuleKind kind();

    /** Binds the endpoint. @param port that of the settings, or that of the module before, if it starts again */
    default Endpoint endpoint(Settings settings, int port) {
        return new Endpoint(settings, port);
    }

    /** Called when Kafka answers, before any topic is read: a coordinator creates the topics here. */
    default void prepare(Settings settings, TopicNames topicNames, KafkaClients kafka, Time time) {}

    /** Creates the stage without starting it. */
    Stage create(WorkerContext context);
}
