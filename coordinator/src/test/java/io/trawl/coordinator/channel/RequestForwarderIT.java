package io.trawl.coordinator.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.HostPartitioner;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request.RequestId;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class RequestForwarderIT {
    private static final Channels OLD = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(4)
            .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(1).build();
    private static final Channels NEXT = OLD.replacedBy(2, 2, 7, Instant.EPOCH, List.of()).open(Instant.EPOCH);
    private static final int HOSTS = 20;
    private static final int REQUESTS = 60;
    private final KafkaFixture fixture = new KafkaFixture();
    private final TopicNames names = fixture.topics();
    private final Marks marks = new Marks();
    private final List<LogPartition> asked = new ArrayList<>();

    private final class Marks implements AnsweredMarks {
        private final Map<LogPartition, Set<Long>> answered = new HashMap<>();

        @Override
        public void mark(LogPartition partition, Collection<Long> offsets) {
            answered.computeIfAbsent(partition, _ -> new HashSet<>()).addAll(offsets);
        }

        @Override
        public BitSet answered(LogPartition partition, long from, int count) {
            asked.add(partition);
            BitSet bits = new BitSet();
            answered.getOrDefault(partition, Set.of()).stream().filter(o -> o >= from && o < from + count)
                    .forEach(o -> bits.set((int) (o - from)));
            return bits;
        }

        @Override
        public void dropBelow(LogPartition partition, long offset) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void everyRequestWithoutAnAnswerIsForwardedOnceInTheOrderOfItsHostAndAnotherLeaderGoesOn() throws Exception {
        OLD.waiting().forEach(of -> names.requests(of).forEach(topic -> fixture.create(topic, of.partitions())));
        names.requests(NEXT).forEach(topic -> fixture.create(topic, NEXT.partitions()));
        Set<String> expected = new HashSet<>();
        for (int p = 0; p < OLD.levels(); p++) {
            expected.addAll(produce(p, "first"));
        }
        // The second of each host and priority is answered.
        for (int p = 0; p < OLD.levels(); p++) {
            for (ConsumerRecord<byte[], byte[]> record : fixture.records(names.requests(1, p))) {
                if (text(record).endsWith(" 1")) {
                    marks.mark(new LogPartition(record.topic(), "id", record.partition()), List.of(record.offset()));
                    expected.remove(text(record));
                }
            }
        }
        // Downloaders that serve the next topics are members of the group meanwhile.
        try (Consumer<byte[], byte[]> member = fixture.kafka().groupConsumer(names.downloaderGroup(), "d-1", 10)) {
            member.subscribe(names.requests(NEXT));
            member.poll(Duration.ofMillis(500));
            assertThat(pass()).isTrue();
            assertThat(pass()).as("nothing is left").isFalse();
            assertThat(pass(() -> expected.addAll(produce(1, "late")), () -> expected.addAll(produce(1, "later"))))
                    .as("of a process that slept").isTrue();
            assertThat(pass()).isFalse();
        }
        assertThat(asked).extracting(LogPartition::topic).as("the highest priority first")
                .startsWith(names.requests(1, 2)).endsWith(names.requests(1, 1));

        Map<String, Integer> last = new HashMap<>();
        List<String> forwarded = new ArrayList<>();
        for (String topic : names.requests(NEXT)) {
            for (ConsumerRecord<byte[], byte[]> record : fixture.records(topic)) {
                String[] words = text(record).split(" ");
                assertThat(record.partition()).isEqualTo(HostPartitioner.of(record.key(), NEXT));
                assertThat(names.priority(topic)).as("priority %s", words[0])
                        .isEqualTo(Math.min(Integer.parseInt(words[0]), NEXT.levels() - 1));
                int number = Integer.parseInt(words[3]);
                assertThat(last.getOrDefault(words[0] + words[1] + words[2], -1)).as(text(record)).isLessThan(number);
                last.put(words[0] + words[1] + words[2], number);
                forwarded.add(text(record));
            }
        }
        assertThat(forwarded).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theLedgerLearnsThePriorityOfWhatWaitedAtOneThatIsGone() throws Exception {
        names.requests(OLD).forEach(topic -> fixture.create(topic, OLD.partitions()));
        names.requests(NEXT).forEach(topic -> fixture.create(topic, NEXT.partitions()));
        fixture.create(names.ledger(), 1);
        CrawlRun run = new CrawlRun(new CrawlId("docs"), 1);
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            for (int id = 1; id <= 6; id++) {
                HostKey host = new HostKey("host" + id + ".example:80");
                Request request = RequestBuilder.builder().id(new RequestId(id)).run(run)
                        .url("http://host" + id + ".example/").host(host).priority(id % 3).domains(1).build();
                producer.send(HostPartitioner.record(names, OLD, request, request.trace()));
            }
        }

        assertThat(pass()).isTrue();
        assertThat(fixture.records(names.ledger())).flatExtracting(record -> Codec.ledger(record.value()).moved())
                .containsExactlyInAnyOrder(new MovedRequest(new RequestId(2), 1, MovedRequest.REPLACED),
                        new MovedRequest(new RequestId(5), 1, MovedRequest.REPLACED));
        assertThat(fixture.records(names.requests(2, 1))).hasSize(4);
    }

    /** As a leader does it in one term: one pass, or one after each change. */
    private boolean pass(Runnable... before) throws InterruptedException {
        Map<String, String> ids = new HashMap<>();
        names.requests(OLD).forEach(topic -> ids.put(topic, "id"));
        try (TransactionalWriter writer = new TransactionalWriter(
                () -> fixture.kafka().transactionalProducer(names.replacementTransactions()), Time.system());
                Consumer<byte[], byte[]> reader = fixture.kafka().bulkReader(names.downloaderGroup(), "forwarder");
                TopicOffsets offsets = new TopicOffsets(fixture.kafka().admin())) {
            writer.open();
            RequestForwarder forwarder = new RequestForwarder(reader, writer, offsets, marks, names, OLD, NEXT, ids);
            boolean any = before.length == 0 && forwarder.pass();
            for (Runnable change : before) {
                change.run();
                any = forwarder.pass();
            }
            return any;
        }
    }

    private List<String> produce(int priority, String when) {
        List<String> produced = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            for (int i = 0; i < REQUESTS; i++) {
                for (int host = 0; host < HOSTS; host++) {
                    String key = "host" + host + ".example:80";
                    String value = priority + " " + key + " " + when + " " + i;
                    produced.add(value);
                    producer.send(new ProducerRecord<>(names.requests(1, priority), HostPartitioner.of(bytes(key), OLD),
                            bytes(key), bytes(value)));
                }
            }
        }
        return produced;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }
}
