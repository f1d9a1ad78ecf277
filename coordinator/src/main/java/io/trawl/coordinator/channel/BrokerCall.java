package io.trawl.coordinator.channel;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;

/** A call to the broker. */
@FunctionalInterface
public interface BrokerCall<T> {
    /** Makes it, and waits for the answer. */
    T run() throws ExecutionException, InterruptedException;

    /** The answer of the broker; what is wrong as the exception that Kafka gives. */
    static <T> T get(BrokerCall<T> call) throws InterruptedException {
        try {
            return call.run();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        }
    }
}
