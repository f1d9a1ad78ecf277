package io.trawl.bench.floor;

import io.trawl.bench.floor.PageContent.PageParser;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicSpec;
import io.trawl.embedded.EmbeddedKafka;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * {@link FloorCrawl} with its stages joined by durable topics: the least that any crawler does whose stages are. Each
 * body is a record of {@code responses}; each item is one of {@code items}, committed together with the offset of its
 * response. The broker, the topics and the clients are those of Trawl. What waits to be fetched is in memory, and no
 * broken crawl is resumed.
 */
public final class KafkaFloorCrawl {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int ITEMS_OF_A_POLL = 500;
    private final PageParser parser;
    private final UrlQueue queue;
    private final Settings settings;
    private final TopicNames topicNames;
    private final KafkaClients kafka;

    private KafkaFloorCrawl(Set<String> domains, List<String> seeds, EmbeddedKafka broker) {
        this.parser = new PageParser(domains);
        this.queue = new UrlQueue(seeds);
        this.settings = SettingsReader.from(Map.of("trawl.kafka.bootstrap-servers", broker.bootstrapServers()));
        this.topicNames = new TopicNames(settings.namespace());
        this.kafka = new KafkaClients(settings);
    }

    /**
     * Crawls everything that is reachable from the seeds, with a broker of its own.
     *
     * @param domains the hosts to stay on
     * @param seeds URLs in normal form
     * @param file receives the items
     * @param data a new folder, for the broker
     * @return the number of items in the file
     * @throws IllegalStateException if a page cannot be fetched or written, or the broker refuses something
     */
    public static long run(Set<String> domains, List<String> seeds, Path file, Path data) throws InterruptedException {
        try (EmbeddedKafka broker = EmbeddedKafka.start(Files.createDirectories(data), 0)) {
            return new KafkaFloorCrawl(domains, seeds, broker).run(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long run(Path file) throws InterruptedException {
        createTopics();
        CompletableFuture<Void> analyzed;
        CompletableFuture<Long> stored;
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
                Producer<byte[], byte[]> producer = kafka.producer("floor-fetch")) {
            analyzed = CompletableFuture.runAsync(this::analyze, threads).whenComplete((_, problem) -> failed(problem));
            stored = CompletableFuture.supplyAsync(() -> store(file), threads)
                    .whenComplete((_, problem) -> failed(problem));
            new BodyFetch(queue,
                    (url, body) -> producer.send(new ProducerRecord<>(topicNames.responses(), bytes(url), body),
                            (_, problem) -> failed(problem)))
                    .run();
        }
        analyzed.join();
        return stored.join();
    }

    private static byte[] bytes(String url) {
        return url.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] url) {
        return new String(url, StandardCharsets.UTF_8);
    }

    private void failed(@Nullable Throwable problem) {
        if (problem != null) {
            queue.fail(problem);
        }
    }

    private void createTopics() throws InterruptedException {
        Set<String> needed = Set.of(topicNames.responses(), topicNames.items());
        try (Admin admin = kafka.admin()) {
            admin.createTopics(TopicSpec.all(topicNames, settings.topics(), List.of()).stream()
                    .filter(spec -> needed.contains(spec.name()))
                    .map(spec -> new NewTopic(spec.name(), spec.partitions(), (short) 1)
                            .configs(spec.configs(settings)))
                    .toList()).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker creates no topics: " + e.getCause(), e);
        }
    }

    /** Parses responses until the crawl is over: those of a poll in one transaction, on all processors. */
    private void analyze() {
        try (Consumer<byte[], byte[]> consumer = kafka.groupConsumer(topicNames.analyzerGroup(), "floor-analyze",
                settings.analyzer().batch());
                Producer<byte[], byte[]> producer = kafka
                        .transactionalProducer(topicNames.analyzerTransactions("floor"))) {
            producer.initTransactions();
            consumer.subscribe(List.of(topicNames.responses()));
            while (!queue.over()) {
                ConsumerRecords<byte[], byte[]> responses = consumer.poll(POLL);
                if (!responses.isEmpty()) {
                    List<PageContent> pages = parse(responses);
                    // Before the commit: after it, the other thread may find that all pages are done.
                    pages.forEach(page -> page.links().forEach(queue::add));
                    producer.beginTransaction();
                    pages.forEach(page -> producer
                            .send(new ProducerRecord<>(topicNames.items(), bytes(page.url()), page.json())));
                    producer.sendOffsetsToTransaction(responses.nextOffsets(), consumer.groupMetadata());
                    producer.commitTransaction();
                }
            }
        }
    }

    private List<PageContent> parse(ConsumerRecords<byte[], byte[]> responses) {
        return StreamSupport.stream(responses.spliterator(), false).toList().parallelStream()
                .map(response -> parser.parse(text(response.key()), response.value())).toList();
    }

    /**
     * Writes items until the crawl is over, and commits their offsets when the file is complete, as a sink does;
     * returns their number.
     */
    private long store(Path file) {
        long items = 0;
        try (Consumer<byte[], byte[]> consumer = kafka.groupConsumer(topicNames.pipelineGroup(), "floor-store",
                ITEMS_OF_A_POLL); OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            consumer.subscribe(List.of(topicNames.items()));
            while (!queue.over()) {
                for (ConsumerRecord<byte[], byte[]> item : consumer.poll(POLL)) {
                    out.write(item.value());
                    out.write('\n');
                    items++;
                    queue.done(text(item.key()));
                }
            }
            out.flush();
            consumer.commitSync(Duration.ofMinutes(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return items;
    }
}
