package io.trawl.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A process that starts the servers in the folder of the first argument and commits transactions from several threads
 * until it is killed. Creates the file of the second argument when every thread has committed. Ends if one of them
 * fails.
 */
final class CommitForever {
    static final String TOPIC = "committed";
    static final int PARTITIONS = 4;
    private static final int PRODUCERS = 30;

    private CommitForever() {}

    public static void main(String[] args) throws Exception {
        EmbeddedServers servers = EmbeddedServers.start(Path.of(args[0]));
        String bootstrap = servers.kafka().bootstrapServers();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        CountDownLatch writing = new CountDownLatch(PRODUCERS);
        for (int i = 0; i < PRODUCERS; i++) {
            String id = "producer-" + ProcessHandle.current().pid() + "-" + i;
            Thread.ofPlatform().start(() -> commit(bootstrap, id, writing));
        }
        writing.await();
        Files.createFile(Path.of(args[1]));
        Thread.currentThread().join();
    }

    private static void commit(String bootstrap, String id, CountDownLatch writing) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "transactional.id", id, "transaction.timeout.ms", 600_000,
                        "max.block.ms", 300_000, "retry.backoff.ms", 10),
                new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            for (int n = 0;; n++) {
                producer.beginTransaction();
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    producer.send(new ProducerRecord<>(TOPIC, partition, id, Integer.toString(n)));
                }
                producer.commitTransaction();
                if (n == 0) {
                    writing.countDown();
                }
            }
        }
    }
}
