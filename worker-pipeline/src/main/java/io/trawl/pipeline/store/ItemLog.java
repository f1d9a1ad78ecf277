package io.trawl.pipeline.store;

import static java.util.Objects.requireNonNull;

import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.worker.WorkerContext;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The name of the log of items: other items never have the same offsets under the same name. Confined to one thread at
 * a time.
 */
public final class ItemLog {
    private final WorkerContext context;
    private String topic = "";

    /** Asks Kafka at the first call. */
    public ItemLog(WorkerContext context) {
        this.context = context;
    }

    /** A topic that is made again has another id, and a loss in Kafka gives offsets to other items. */
    public String name() {
        return context.identity().ids().cluster() + "/" + topicId()
                + context.control().kafkaLoss().map(KafkaLoss::id).map(loss -> "/" + Long.toHexString(loss)).orElse("");
    }

    private String topicId() {
        if (topic.isEmpty()) {
            String items = context.kafka().topics().items();
            try (Admin admin = context.kafka().clients().admin()) {
                topic = requireNonNull(admin.describeTopics(List.of(items)).allTopicNames().get().get(items)).topicId()
                        .toString();
            } catch (ExecutionException e) {
                throw new KafkaException("cannot read the id of the topic " + items + ": " + e.getMessage(), e);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        return topic;
    }
}
