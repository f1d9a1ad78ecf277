package io.trawl.analyzer.loop;

import static io.trawl.testkit.KafkaFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import io.trawl.channel.GroupMember;
import io.trawl.channel.TransactionalWriter;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlDefinition;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlRun;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.Expulsion;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.ListedControl;
import io.trawl.telemetry.WriteOutage;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchLoopIT {
    private final KafkaFixture fixture = new KafkaFixture();
    private final String in = fixture.topics().namespace() + "in";
    private final String out = fixture.topics().namespace() + "out";
    private final String group = fixture.topics().namespace() + "group";
    private final List<String> announced = Collections.synchronizedList(new ArrayList<>());

    private final AtomicBoolean full = new AtomicBoolean();
    private final ControlView control = new ListedControl().read(CrawlStatus.of(CrawlRun.parse("docs/1"), 1,
            Json.read(bytes("{\"limits\":{\"depth\":2}}"), CrawlDefinition.class), CrawlState.STARTED));

    private final RedisStore store = RedisStore.connect(RedisServers.of(fixture.settings().redis()),
            fixture.topics().namespace(), "cluster", "responses", Time.system());

    @AfterEach
    void close() {
        store.close();
    }

    private final Set<String> large = ConcurrentHashMap.newKeySet();
    private final List<List<String>> batches = new CopyOnWriteArrayList<>();

    @BeforeEach
    void topics() {
        fixture.create(in, 2);
        fixture.create(out, 1);
    }

    /** Copies records in upper case; the test chooses the side effect of a text. */
    private final class Copier implements BatchHandler {
        private final Function<String, String> effect;

        Copier(Function<String, String> effect) {
            this.effect = effect;
        }

        @Override
        public BatchOutput handle(List<ConsumerRecord<byte[], byte[]>> batch) {
            batches.add(batch.stream().map(r -> new String(r.value(), StandardCharsets.UTF_8)).toList());
            List<String> results = batch.stream().map(r -> effect.apply(new String(r.value(), StandardCharsets.UTF_8)))
                    .toList();
            return outgoing(results);
        }

        @Override
        public boolean alone(ConsumerRecord<byte[], byte[]> record) {
            return large.contains(new String(record.value(), StandardCharsets.UTF_8));
        }

        @Override
        public BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
            return outgoing(List.of("gave up " + new String(record.value(), StandardCharsets.UTF_8)));
        }

        private BatchOutput outgoing(List<String> results) {
            return new BatchOutput(results.stream().map(r -> new ProducerRecord<>(out, bytes("k"), bytes(r))).toList(),
                    () -> announced.addAll(results));
        }
    }

    private ServedPartitions served = partition -> true;

    private BatchLoop loop(String id, Function<String, String> effect) {
        return loop(id, effect, new ReportedState(id));
    }

    private BatchLoop loop(String id, Function<String, String> effect, ReportedState state) {
        return loop(id, effect, state, new WriteOutage(Duration.ZERO, Time.system()));
    }

    private BatchLoop loop(String id, Function<String, String> effect, ReportedState state, WriteOutage outage) {
        return new BatchLoop(
                new GroupMember(fixture.kafka().groupConsumer(group, id, 50), List.of(in), control, Time.system()),
                new TransactionalWriter(() -> fixture.kafka().transactionalProducer(fixture.topics().namespace() + id),
                        Optional.empty(), outage, Time.system()),
                new Copier(effect), store.attempts(UUID.randomUUID().toString()), state,
                () -> full.get() ? Optional.of(HoldReason.MEMORY) : Optional.empty(), served, Time.system());
    }

    private void run(BatchLoop loop, Runnable body) {
        Thread thread = Thread.ofPlatform().start(loop);
        try {
            body.run();
        } finally {
            loop.stop();
            await().until(() -> !thread.isAlive());
        }
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
    }

    private void awaitOut(List<String> expected) {
        await().untilAsserted(() -> assertThat(fixture.values(out)).containsExactlyInAnyOrderElementsOf(expected));
    }

    /**
     * The broker does not tell offsets that an open transaction may change; for as long, members that change get no
     * answer either.
     */
    @Test
    void aMemberThatAsksForItsOffsetsInVainGivesPartitionsBackWithinHalfAMinute() {
        Map<String, Object> settings = Map.of("bootstrap.servers", fixture.settings().kafka().bootstrapServers(),
                "transactional.id", group + "-open", "transaction.timeout.ms", 600_000);
        try (KafkaProducer<byte[], byte[]> open = new KafkaProducer<>(settings, new ByteArraySerializer(),
                new ByteArraySerializer());
                Consumer<byte[], byte[]> second = fixture.kafka().groupConsumer(group, "two", 50)) {
            open.initTransactions();
            open.beginTransaction();
            OffsetAndMetadata start = new OffsetAndMetadata(0);
            open.sendOffsetsToTransaction(Map.of(new TopicPartition(in, 0), start, new TopicPartition(in, 1), start),
                    second.groupMetadata());
            ReportedState first = new ReportedState("one");
            run(loop("one", x -> x, first), () -> {
                await().until(() -> first.now() instanceof WaitingFor);
                second.subscribe(List.of(in));
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    second.poll(Duration.ofMillis(100));
                    return second.assignment().size() == 1;
                });
                open.abortTransaction();
            });
        }
    }

    /** The broker refuses the records, as those of a user without rights. */
    @Test
    void aMemberThatCannotWriteForALeaseLeavesItsGroupAndJoinsAgainWhenItCan() {
        WriteOutage outage = new WriteOutage(Duration.ZERO, Time.system());
        ReportedState state = new ReportedState("one");
        BatchLoop loop = loop("one", x -> x, state, outage);
        // Less than each of the records, also compressed, and more than the marker of an aborted transaction, which
        // could not end else.
        fixture.configure(out, Map.of("max.message.bytes", "150"));
        List<String> texts = Stream.generate(
                () -> Stream.generate(UUID::randomUUID).limit(10).map(UUID::toString).collect(Collectors.joining()))
                .limit(20).toList();
        fixture.produce(in, texts);
        run(loop, () -> {
            await().until(() -> {
                outage.look(state.now() instanceof WaitingFor, () -> true);
                return loop.away();
            });
            assertThat(state.now()).isInstanceOfSatisfying(WaitingFor.class,
                    waiting -> assertThat(waiting.detail().orElse("")).startsWith("each transaction fails: "));
            fixture.configure(out, Map.of("max.message.bytes", "1000000"));
            awaitOut(texts);
            await().until(() -> state.now() == Phase.RUNNING);
        });
    }

    @Test
    void everyRecordIsHandledOnceEvenWhenAnotherLoopTakesOver() {
        fixture.produce(in, numbers(300));
        run(loop("one", x -> x), () -> await().until(() -> announced.size() >= 50));
        run(loop("two", x -> x), () -> awaitOut(numbers(300)));

        assertThat(announced).containsExactlyInAnyOrderElementsOf(numbers(300));
    }

    @Test
    void whileThereIsNoMemoryNoBatchBeginsAndTheMemberStays() {
        ReportedState state = new ReportedState("one");
        AtomicReference<BatchLoop> loop = new AtomicReference<>();
        loop.set(loop("one", x -> {
            full.set(announced.isEmpty());
            return x;
        }, state));
        fixture.produce(in, numbers(300));
        run(loop.get(), () -> {
            await().until(() -> state.now().equals(new HoldingFor(HoldReason.MEMORY)));
            int held = announced.size();
            long turns = loop.get().turns();
            await().until(() -> loop.get().turns() > turns + 5);
            assertThat(announced).as("handled while there is no memory").hasSize(held).hasSizeLessThan(300);
            full.set(false);
            awaitOut(numbers(300));
            await().until(() -> state.now() == Phase.RUNNING);
        });
        assertThat(announced).containsExactlyInAnyOrderElementsOf(numbers(300));
    }

    @Test
    void aLargeRecordIsABatchOfItsOwnAndNoneBeforeItIsLost() {
        large.addAll(List.of("n0", "n17", "n18", "n99"));
        fixture.produce(in, numbers(100));
        run(loop("one", x -> x), () -> awaitOut(numbers(100)));

        assertThat(batches).filteredOn(batch -> batch.stream().anyMatch(large::contains))
                .allSatisfy(batch -> assertThat(batch).hasSize(1)).hasSize(4);
        assertThat(announced).containsExactlyInAnyOrderElementsOf(numbers(100));
    }

    @Test
    void aPoisonRecordCostsOnlyItself() {
        fixture.produce(in, numbers(100));
        List<String> expected = new ArrayList<>(numbers(100));
        expected.set(42, "gave up n42");
        AtomicInteger tries = new AtomicInteger();
        run(loop("one", x -> {
            if (x.equals("n42")) {
                tries.incrementAndGet();
                throw new IllegalStateException("poison");
            }
            return x;
        }), () -> awaitOut(expected));

        assertThat(tries.get()).as("once in its batch, three times alone").isEqualTo(4);
        for (int p = 0; p < 2; p++) {
            TopicPartition partition = new TopicPartition(in, p);
            long end = fixture.records(in).stream().filter(r -> r.partition() == partition.partition()).count();
            assertThat(fixture.committed(group, partition)).map(OffsetAndMetadata::offset).contains(end);
        }
    }

    /** The loop's thread dies as its process would: the error is not caught and there is no cleanup. */
    @ParameterizedTest
    @ValueSource(ints = {0, 17})
    void aRecordThatKillsItsProcessIsGivenUpAloneAfterThreeMoreDeaths(int number) {
        String deadly = "n" + number;
        fixture.produce(in, numbers(40));
        List<String> expected = new ArrayList<>(numbers(40));
        expected.set(number, "gave up " + deadly);
        AtomicInteger deaths = new AtomicInteger();
        for (int process = 1; process <= 4; process++) {
            Thread thread = Thread.ofPlatform()
                    .uncaughtExceptionHandler((t, e) -> assertThat(e).isInstanceOf(DeadlyPage.class))
                    .start(loop("p" + process, x -> {
                        if (x.equals(deadly)) {
                            deaths.incrementAndGet();
                            throw new DeadlyPage();
                        }
                        return x;
                    }));
            await().until(() -> !thread.isAlive());
        }
        assertThat(deaths.get()).as("once in its batch, three times alone").isEqualTo(4);
        run(loop("last", x -> {
            assertThat(x).isNotEqualTo(deadly);
            return x;
        }), () -> awaitOut(expected));
    }

    private static final class DeadlyPage extends Error {
        private static final long serialVersionUID = 1;
    }

    @Test
    void whileTheLedgerIsUnavailableRecordsWaitAndNoneIsLost() {
        fixture.produce(in, numbers(20));
        AtomicInteger away = new AtomicInteger(3);
        BatchLoop loop = loop("one", x -> {
            if (x.equals("n5") && away.getAndDecrement() > 0) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
            return x;
        });
        run(loop, () -> awaitOut(numbers(20)));

        assertThat(announced).containsExactlyInAnyOrderElementsOf(numbers(20));
    }

    /** The broker expels a member that is slow; until it has its partitions again, its polls bring nothing. */
    @Test
    void aMemberThatWaitsForRedisAndIsExpelledMeanwhileStillSaysThatItWaits() {
        fixture.produce(in, numbers(20));
        AtomicBoolean away = new AtomicBoolean(true);
        AtomicInteger attempts = new AtomicInteger();
        ReportedState state = new ReportedState("one");
        try (Admin admin = fixture.kafka().admin()) {
            run(loop("one", x -> {
                if (away.get()) {
                    attempts.incrementAndGet();
                    throw new LedgerUnavailableException("away", new IllegalStateException());
                }
                return x;
            }, state), () -> {
                await().until(() -> state.now() instanceof WaitingFor);
                Expulsion.ofAll(group, admin);
                int before = attempts.get();
                await().pollInterval(Duration.ofMillis(1)).until(() -> {
                    assertThat(state.now()).isInstanceOf(WaitingFor.class);
                    return attempts.get() > before + 4;
                });
                away.set(false);
                awaitOut(numbers(20));
                await().until(() -> state.now() == Phase.RUNNING);
            });
        }
    }

    /** The member notices the expulsion at its commit, and again when it fetches its committed offsets. */
    @Test
    void aMemberThatIsExpelledDuringABatchRewindsAndRepeatsIt() {
        fixture.produce(in, numbers(60));
        List<String> expelledAt = new ArrayList<>(List.of("n5", "n25", "n45"));
        try (Admin admin = fixture.kafka().admin()) {
            run(loop("one", x -> {
                if (expelledAt.remove(x)) {
                    Expulsion.ofAll(group, admin);
                }
                return x;
            }), () -> awaitOut(numbers(60)));
        }

        assertThat(expelledAt).isEmpty();
        assertThat(announced).as("announced only what was committed").containsExactlyInAnyOrderElementsOf(numbers(60));
    }

    @Test
    void aFencedWriterIsReopenedAndTheBatchIsHandledAgain() {
        fixture.produce(in, numbers(10));
        AtomicInteger fences = new AtomicInteger(1);
        run(loop("one", x -> {
            if (x.equals("n3") && fences.getAndDecrement() > 0) {
                try (TransactionalWriter thief = new TransactionalWriter(
                        () -> fixture.kafka().transactionalProducer(fixture.topics().namespace() + "one"),
                        Time.system())) {
                    thief.open();
                }
            }
            return x;
        }), () -> awaitOut(numbers(10)));

        assertThat(announced).as("announced only what was committed").containsExactlyInAnyOrderElementsOf(numbers(10));
    }

    /** Of the second partition nothing counts at first. */
    private static final class Limits implements ServedPartitions {
        private final AtomicInteger reads = new AtomicInteger();
        private final Map<Integer, Long> limits = new ConcurrentHashMap<>(Map.of(0, 3L, 1, 0L));
        private volatile int served = 1;

        @Override
        public boolean serves(TopicPartition partition) {
            return partition.partition() < served;
        }

        @Override
        public void refresh() {
            reads.incrementAndGet();
        }

        @Override
        public long limit(TopicPartition partition) {
            return limits.getOrDefault(partition.partition(), Long.MAX_VALUE);
        }
    }

    @Test
    void nothingAtOrBeyondALimitIsHandledOrCommittedUntilTheLimitIsHigher() {
        Limits limits = new Limits();
        served = limits;
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>(in, 0, bytes("k"), bytes("a" + i)));
                producer.send(new ProducerRecord<>(in, 1, bytes("k"), bytes("b" + i)));
            }
        }
        List<String> failOnce = new CopyOnWriteArrayList<>(List.of("a1", "b2"));
        run(loop("one", x -> {
            if (failOnce.remove(x)) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
            return x;
        }), () -> {
            awaitOut(List.of("a0", "a1", "a2"));
            limits.served = 2;
            await().during(Duration.ofSeconds(1)).until(() -> fixture.values(out).size() == 3);
            assertThat(committed()).isEqualTo(Map.of(0, 3L));
            int reads = limits.reads.get();
            assertThat(reads).as("it does not poll at the limit again and again").isLessThan(10);
            limits.limits.put(1, 5L);
            awaitOut(List.of("a0", "a1", "a2", "b0", "b1", "b2", "b3", "b4"));
            await().until(() -> committed().equals(Map.of(0, 3L, 1, 5L)));
            limits.limits.clear();
            awaitOut(IntStream.range(0, 10).boxed().flatMap(i -> Stream.of("a" + i, "b" + i)).toList());
            assertThat(limits.reads.get()).isGreaterThan(reads);
        });
        assertThat(announced).hasSize(20).doesNotHaveDuplicates();
    }

    private Map<Integer, Long> committed() {
        Map<Integer, Long> committed = new TreeMap<>();
        fixture.committed(group).forEach((partition, offset) -> committed.put(partition.partition(), offset.offset()));
        return committed;
    }
}
