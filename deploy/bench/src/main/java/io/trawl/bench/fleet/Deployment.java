package io.trawl.bench.fleet;

import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.RequestLoad;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.channel.TransactionalWriter;
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

/** What a benchmark needs to know of a deployment to write into it: where its servers are and what its topics are called. */
public record Deployment(Settings settings, Time time) {
    /** The one that a deployment begins with. */
    private static final int GENERATION = 1;

    /** The names. */
    public Topics topics() {
        return new Topics(settings.namespace());
    }

    /**
     * Writes a backlog for a run and returns when all of it is committed.
     *
     * @param announce whether the ledger in Redis is told, too
     */
    public void load(CrawlRun run, Backlog backlog, int port, boolean announce, LongConsumer progress)
            throws InterruptedException {
        KafkaClients kafka = new KafkaClients(settings);
        String id = topics().namespace() + "bench-load";
        Optional<RedisStore> store = announce ? Optional.of(store(kafka)) : Optional.empty();
        try (TransactionalWriter writer = new TransactionalWriter(() -> kafka.transactionalProducer(id), time)) {
            writer.open();
            new RequestLoad(writer, topics(), run, GENERATION, port, new SplittableRandom(time.nanos()),
                    store.map(s -> s.ledger(settings.ledger().buckets()))).write(backlog, progress);
        } finally {
            store.ifPresent(RedisStore::close);
        }
    }

    private RedisStore store(KafkaClients kafka) throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            String responses = topics().responses();
            return RedisStore.connect(settings.redis().url(), settings.namespace(), admin.describeCluster().clusterId().get(),
                    admin.describeTopics(List.of(responses)).allTopicNames().get().get(responses).topicId().toString(), time);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not answer", e);
        }
    }
}
