package io.trawl.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A process that starts the servers in the folder of the first argument, leaves a transaction open, writes the Redis
 * URL to the file of the second argument, and waits to be killed.
 */
final class HoldServers {
    private HoldServers() {}

    public static void main(String[] args) throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(Path.of(args[0]));
                Admin admin = Admin.create(Map.of("bootstrap.servers", servers.kafka().bootstrapServers()));
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", servers.kafka().bootstrapServers(), "transactional.id", "left",
                                "transaction.timeout.ms", 600_000),
                        new StringSerializer(), new StringSerializer())) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 1))).all().get();
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "committed")).get();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "left open")).get();
            Path ready = Path.of(args[1]);
            Files.writeString(ready.resolveSibling("ready.part"), servers.redis().url());
            Files.move(ready.resolveSibling("ready.part"), ready);
            new CountDownLatch(1).await();
        }
    }
}
