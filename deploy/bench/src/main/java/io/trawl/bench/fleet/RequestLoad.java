package io.trawl.bench.fleet;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.ControlTopic;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.control.Channels;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.Loopback;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a backlog like an analyzer: requests at depth 1 and the ledger record with their ids in one transaction, then
 * the announcement to the ledger, if it is wanted. Prints its progress every 5 s. Not thread-safe.
 */
public final class RequestLoad {
    private static final int DEPTH = 1;
    private static final long PRINTED_EVERY_NANOS = 5_000_000_000L;
    private final TransactionalWriter writer;
    private final TopicNames topicNames;
    private final CrawlRun run;
    private final Channels channels;
    private final Time time;
    private final SplittableRandom ids;
    private final List<Request> batch = new ArrayList<>(LedgerRecord.MOST_IDS);
    private long written;
    private long printed;

    /**
     * What is written.
     *
     * @param port the port in the URLs
     * @param announced whether the ledger in Redis learns of the requests; without it, as after a crash between commit
     * and announcement
     */
    public record LoadedBacklog(BacklogPlan plan, int port, boolean announced) {}

    private RequestLoad(TransactionalWriter writer, TopicNames topicNames, CrawlRun run, Channels channels, Time time) {
        this.writer = writer;
        this.topicNames = topicNames;
        this.run = run;
        this.channels = channels;
        this.time = time;
        this.ids = new SplittableRandom(time.nanos());
        this.printed = time.nanos();
    }

    /** Writes a backlog for a run of a deployment, and returns when all of it is committed. */
    public static void write(Settings settings, Time time, CrawlRun run, LoadedBacklog backlog)
            throws InterruptedException {
        TopicNames topics = new TopicNames(settings.namespace());
        KafkaClients kafka = new KafkaClients(settings);
        Optional<RedisStore> store = backlog.announced()
                ? Optional.of(store(settings, topics, kafka, time))
                : Optional.empty();
        try (TransactionalWriter writer = new TransactionalWriter(
                () -> kafka.transactionalProducer(topics.namespace() + "bench-load"), time)) {
            writer.open();
            new RequestLoad(writer, topics, run, channels(topics, kafka, time), time).write(backlog,
                    store.map(RedisStore::ledger));
        } finally {
            store.ifPresent(RedisStore::close);
        }
    }

    /** The request topics that the first leader has announced. */
    private static Channels channels(TopicNames topics, KafkaClients kafka, Time time) throws InterruptedException {
        try (ControlTopic control = new ControlTopic(kafka.reader("bench-control"), kafka.admin(),
                KafkaIdentity.SameKafka.NONE, topics, time)) {
            control.refresh();
            return control.channels()
                    .orElseThrow(() -> new IllegalStateException("no coordinator has created the request topics"));
        }
    }

    private static RedisStore store(Settings settings, TopicNames topics, KafkaClients kafka, Time time)
            throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            String responses = topics.responses();
            return RedisStore.connect(RedisServers.of(settings.redis()), settings.namespace(),
                    admin.describeCluster().clusterId().get(),
                    requireNonNull(admin.describeTopics(List.of(responses)).allTopicNames().get().get(responses))
                            .topicId().toString(),
                    time);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not answer", e);
        }
    }

    private void write(LoadedBacklog backlog, Optional<Ledger> ledger) {
        HostKey[] hosts = new HostKey[backlog.plan().hosts()];
        long all = backlog.plan().requests();
        backlog.plan().forEach((host, page, priority) -> {
            if (hosts[host] == null) {
                hosts[host] = new HostKey(Loopback.address(host) + ":" + backlog.port());
            }
            batch.add(request(hosts[host], page, priority));
            if (batch.size() == LedgerRecord.MOST_IDS || written + batch.size() == all) {
                commit(ledger);
                print(all);
            }
        });
    }

    private Request request(HostKey host, int page, int priority) {
        String site = "http://" + host;
        return RequestBuilder.builder().id(new RequestId(ids.nextLong())).run(run).url(site + BacklogPlan.path(page))
                .host(host).depth(DEPTH).priority(priority).domains(1).parent(Optional.of(site + "/")).build();
    }

    private void commit(Optional<Ledger> ledger) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(LedgerRecord.MOST_IDS + 1);
        List<EmittedRequest> emitted = new ArrayList<>(LedgerRecord.MOST_IDS);
        for (Request request : batch) {
            records.add(HostPartitioner.record(topicNames, channels, request, request.trace()));
            emitted.add(new EmittedRequest(request.id(), request.priority(), request.depth()));
        }
        records.add(PartitionCounts.fixed(topicNames, channels)
                .ledger(new LedgerRecord(run, emitted, List.of(), Map.of(), List.of(), 0)));
        if (writer.write(records) != CommitResult.COMMITTED) {
            throw new IllegalStateException("a batch of the load was aborted after " + written + " requests");
        }
        ledger.ifPresent(facts -> facts.learn(run,
                batch.stream().map(r -> new Fact(Fingerprint.of(r.identity()), UrlFacts.requested(DEPTH))).toList()));
        written += batch.size();
        batch.clear();
    }

    private void print(long all) {
        if (written == all || time.nanos() - printed > PRINTED_EVERY_NANOS) {
            printed = time.nanos();
            System.err.println(String.format(Locale.ROOT, "loaded %,d of %,d", written, all));
        }
    }
}
