package io.trawl.standalone.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.channel.TransactionalWriter;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class FollowedTopicIT {
    private final KafkaFixture kafka = new KafkaFixture();
    private final String topic = kafka.topics().namespace() + "out";

    private ProducerRecord<byte[], byte[]> item(String crawl, String id) {
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(topic, KafkaFixture.bytes(id),
                KafkaFixture.bytes(id));
        made.headers().add("crawl", KafkaFixture.bytes(crawl));
        return made;
    }

    @Test
    void theNewItemsOfACrawlAreReadUntilItEndsAndNoOthers() {
        kafka.create(topic, 2);
        CrawlId docs = new CrawlId("docs");
        try (TransactionalWriter writer = new TransactionalWriter(() -> kafka.kafka().transactionalProducer(topic),
                Time.system())) {
            writer.open();
            writer.write(List.of(item("docs", "before")));
            // The end of a transaction that is committed comes into the log of its records a moment later.
            assertThat(kafka.records(topic)).hasSize(1);
            List<String> read = new ArrayList<>();
            try (FollowedTopic items = new FollowedTopic(kafka.kafka(), topic, docs)) {
                writer.write(List.of(item("docs", "a"), item("blog", "b"), item("docs", "c")));
                // What is written right before the crawl ends is read, too.
                items.follow(() -> {
                    writer.write(List.of(item("docs", "last")));
                    return true;
                }, line -> read.add(new String(line, StandardCharsets.UTF_8)));
            }
            assertThat(read).containsExactlyInAnyOrder("a", "c", "last");
        }
        assertThatThrownBy(() -> new FollowedTopic(kafka.kafka(), topic + "x", docs))
                .isInstanceOf(UserMistakeException.class).hasMessageContaining("there is no topic");
    }
}
