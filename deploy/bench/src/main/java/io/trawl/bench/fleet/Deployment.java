package io.trawl.bench.fleet;

import static java.util.Objects.requireNonNull;

import io.trawl.testkit.web.BacklogPlan;
import io.trawl.bench.load.RequestLoad;
import io.trawl.channel.ControlTopic;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.control.Channels;
import io.trawl.model.CrawlRun;
import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.Admin;

/** The servers and topics of a deployment, for benchmarks that write to it. */
public record Deployment(Settings settings, Time time) {
    /** The topic names. */
    public TopicNames topics() {
        return new TopicNames(settings.namespace());
    }

    /**
     * Writes a backlog for a run and returns when all of it is committed.
     *
     * @param announce whether to announce the requests to the ledger in Redis, too
     */
    public void load(CrawlRun run, BacklogPlan backlogPlan, int port, boolean announce, LongConsumer progress)
            throws InterruptedException {
        KafkaClients kafka = new KafkaClients(settings);
        String id = topics().namespace() + "bench-load";
        Optional<RedisStore> store = announce ? Optional.of(store(kafka)) : Optional.empty();
        try (TransactionalWriter writer = new TransactionalWriter(() -> kafka.transactionalProducer(id), time)) {
            writer.open();
            new RequestLoad(writer, topics(), run, channels(kafka), port, new SplittableRandom(time.nanos()),
                    store.map(s -> s.ledger(settings.ledger().buckets()))).write(backlogPlan, progress);
        } finally {
            store.ifPresent(RedisStore::close);
        }
    }

    /** The request topics that the first leader has announced. */
    private Channels channels(KafkaClients kafka) throws InterruptedException {
        try (ControlTopic control = new ControlTopic(kafka.reader("bench-control"), kafka.admin(),
                KafkaIdentity.SameKafka.NONE, topics(), time)) {
            control.refresh();
            return control.channels()
                    .orElseThrow(() -> new IllegalStateException("no coordinator has created the request topics"));
        }
    }

    private RedisStore store(KafkaClients kafka) throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            String responses = topics().responses();
            return RedisStore.connect(settings.redis().url(), settings.namespace(),
                    admin.describeCluster().clusterId().get(),
                    requireNonNull(admin.describeTopics(List.of(responses)).allTopicNames().get().get(responses))
                            .topicId().toString(),
                    time);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not answer", e);
        }
    }
}
