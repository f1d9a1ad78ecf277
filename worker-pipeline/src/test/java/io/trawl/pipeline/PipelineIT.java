package io.trawl.pipeline;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.testkit.Repository;
import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.StopSign;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlerError;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.pipeline.postgresql.PostgresqlServer;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestServers;
import io.trawl.testkit.TestTimeouts;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineIT {
    private static final Map<String, String> QUICK = Map.of("trawl.pipeline.file-idle", "200ms",
            "trawl.pipeline.file-age", "200ms", "trawl.pipeline.file-size", "4000");
    private static final Map<String, String> LASTING = Map.of("trawl.pipeline.file-idle", "1h");
    @TempDir
    Path temp;
    private PipelineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new PipelineFixture(temp.resolve("pages"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void awaitStored(Map<Integer, Long> ends) {
        await().until(() -> fixture.storedUpTo(ends));
    }

    private void awaitStored() throws Exception {
        awaitStored(fixture.ends());
    }

    @Test
    void partitionsMoveBetweenPipelinesWithoutLossOrRepeat() throws Exception {
        Worker first = fixture.start(Pipeline.factory(), LASTING);
        fixture.write(500);
        Worker second = fixture.start(Pipeline.factory(), LASTING);
        fixture.write(500);
        await().until(() -> !((List<?>) requireNonNull(second.stage().extra().get("partitions"))).isEmpty());
        fixture.write(500);
        Worker third = fixture.start(Pipeline.factory(), LASTING);
        fixture.write(500);
        first.stop(Duration.ofSeconds(10));
        fixture.write(500);
        second.stop(Duration.ofSeconds(10));
        await().until(() -> List.of(0, 1, 2).equals(third.stage().extra().get("partitions")));
        fixture.write(500);
        await().until(() -> third.summary().counts().called() > 0);
        third.stop(Duration.ofSeconds(10));
        fixture.start(Pipeline.factory(), QUICK);
        awaitStored();
        fixture.assertExact();
        assertThat(fixture.files(".part")).isEmpty();
    }

    @Test
    void itemsAreStoredOnceWhileTheyAreWrittenToMoreAndThenToFewerPartitions() throws Exception {
        fixture.tellCounts();
        fixture.start(Pipeline.factory(), QUICK);
        fixture.write(300);
        fixture.writeItemsTo(7);
        fixture.write(300);
        fixture.start(Pipeline.factory(), QUICK);
        // The second one may be assigned only partitions that no pipeline reads yet.
        await().until(() -> List.of(3, 4).equals(fixture.assigned().stream().sorted().toList()));
        assertThat(fixture.committed().keySet()).as("the others may be those of another program, as far as is known")
                .allMatch(partition -> partition < PipelineFixture.PARTITIONS);
        fixture.tellCounts();
        fixture.write(300);
        fixture.writeItemsTo(2);
        fixture.tellCounts();
        fixture.write(300);
        awaitStored();
        fixture.assertExact();
    }

    @Test
    void aStopFinishesTheFilesAndCommits() throws Exception {
        fixture.write(100);
        Worker worker = fixture.start(Pipeline.factory(), LASTING);
        await().until(() -> worker.summary().counts().accepted() == 100);
        assertThat(fixture.files(".jsonl")).isEmpty();
        assertThat(worker.summary().counts().handling()).isEqualTo(100);
        worker.stop(Duration.ofSeconds(10));
        fixture.assertExact();
        assertThat(worker.summary().counts().completed()).isEqualTo(100);
        assertThat(worker.stage().state()).isEqualTo(Phase.STOPPED);
        assertThat(fixture.files(".part")).isEmpty();
    }

    @Test
    void filesAreClosedAtOnceAtTheNotedEndOfARun() throws Exception {
        Worker worker = fixture.start(Pipeline.factory(), LASTING);
        fixture.write(100);
        await().until(() -> worker.summary().counts().accepted() == 100);
        Map<Integer, Long> ends = fixture.ends();
        fixture.command(new ItemEnds(PipelineFixture.DOCS, 1, ends));
        await().until(() -> fixture.storedUpTo(ends));
        fixture.assertExact();
    }

    @Test
    void endsThatWereNotedBeforeTheStartCount() throws Exception {
        fixture.write(100);
        Map<Integer, Long> ends = fixture.ends();
        fixture.command(new ItemEnds(PipelineFixture.DOCS, 1, ends));
        fixture.start(Pipeline.factory(), LASTING);
        awaitStored(ends);
        fixture.assertExact();
    }

    @Test
    void positionsThatOnlyPassMarkersAreCommitted() throws Exception {
        fixture.start(Pipeline.factory(), LASTING);
        for (int partition = 0; partition < PipelineFixture.PARTITIONS; partition++) {
            try (var producer = fixture.kafka.kafka().transactionalProducer("aborting" + partition)) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new org.apache.kafka.clients.producer.ProducerRecord<>(fixture.kafka.topics().items(),
                        partition, null, new byte[0])).get();
                producer.abortTransaction();
            }
        }
        // An abort returns before its markers are written.
        Map<Integer, Long> ends = await().until(fixture::ends, all -> all.values().stream().allMatch(end -> end == 2));
        awaitStored(ends);
        assertThat(fixture.files(".jsonl")).isEmpty();
    }

    @Test
    void aFullDiskMakesThePipelineWaitAndLosesNothing() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        Worker worker = fixture.start(Pipeline.factory(plugins -> new ProcessorChain(List.of()), path -> {
            FileChannel real = FileOpener.REAL.create(path);
            if (!full.get()) {
                return real;
            }
            real.close();
            return FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        }, FaultPoint.NONE), QUICK);
        await().until(() -> worker.summary().state() == Phase.RUNNING);
        full.set(true);
        fixture.write(100);
        await().until(() -> waitsForFolder(worker));
        assertThat(fixture.committed().values()).allMatch(committed -> committed.offset() == 0);
        assertThat(fixture.files(".part")).as("no unfinished file remains").isEmpty();
        full.set(false);
        awaitStored();
        fixture.assertExact();
        assertThat(worker.end()).isNotDone();
    }

    private static boolean waitsForFolder(Worker worker) {
        return worker.summary().state() instanceof WaitingFor(var dependency, var detail)
                && dependency == Dependency.OUTPUT_FOLDER && detail.orElseThrow().contains("No space left on device");
    }

    @Test
    void withAFullDiskAtTheStartThePipelineWaitsAndTakesNoPartition() throws Exception {
        fixture.write(100);
        AtomicBoolean full = new AtomicBoolean(true);
        Worker worker = fixture.start(Pipeline.factory(plugins -> new ProcessorChain(List.of()),
                path -> full.get()
                        ? FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)
                        : FileOpener.REAL.create(path),
                FaultPoint.NONE), QUICK);
        await().until(() -> waitsForFolder(worker));
        full.set(false);
        awaitStored();
        fixture.assertExact();
    }

    /** The broker refuses the records of the ledger, as those of a user without rights. */
    @Test
    void aPipelineThatCannotWriteToKafkaForALeaseGivesItsPartitionsToAnotherUntilItCan() throws Exception {
        Map<String, String> settings = new HashMap<>(QUICK);
        settings.put("trawl.lease", "2s");
        List<Worker> workers = List.of(fixture.start(Pipeline.factory(), settings),
                fixture.start(Pipeline.factory(), settings));
        await().until(() -> workers.stream().noneMatch(PipelineIT::withoutPartitions));
        String ledger = fixture.kafka.topics().ledger();
        // Less than its records, and more than the marker of an aborted transaction, which could not end else.
        fixture.kafka.configure(ledger, Map.of("max.message.bytes", "100"));
        fixture.write(1);
        Worker failing = await()
                .until(() -> workers.stream().filter(PipelineIT::withoutPartitions).findFirst(), Optional::isPresent)
                .orElseThrow();
        assertThat(failing.summary().state()).isInstanceOfSatisfying(WaitingFor.class, waiting -> {
            assertThat(waiting.dependency()).isEqualTo(Dependency.KAFKA);
            assertThat(waiting.detail().orElse("")).startsWith("each transaction fails: ");
        });
        fixture.kafka.configure(ledger, Map.of("max.message.bytes", "1000000"));
        awaitStored();
        await().until(() -> workers.stream().noneMatch(PipelineIT::withoutPartitions));
        fixture.assertExact();
    }

    private static boolean withoutPartitions(Worker pipeline) {
        return List.of().equals(pipeline.stage().extra().get("partitions"));
    }

    @Test
    void anOffsetBelowTheLogsStartEndsTheProcess() throws Exception {
        fixture.write(100);
        try (Admin admin = fixture.kafka.kafka().admin()) {
            admin.deleteRecords(
                    Map.of(new TopicPartition(fixture.kafka.topics().items(), 1), RecordsToDelete.beforeOffset(5)))
                    .all().get();
        }
        Worker worker = fixture.start(Pipeline.factory(), QUICK);
        assertThat(worker.end().get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("begins at offset 5"));
    }

    @Test
    void anUnreadableRecordIsReportedOnceWithItsCoordinatesAndSkipped() throws Exception {
        fixture.write(20);
        fixture.writeRaw("bad", "{\"id\":");
        fixture.writeRaw("bad", "{\"id\":\"x\"}");
        fixture.write(20);
        fixture.start(Pipeline.factory(), QUICK);
        awaitStored();
        fixture.assertExact();
        await().until(() -> fixture.kafka.values(fixture.kafka.topics().errors()).size() == 2);
        List<CrawlerError> errors = fixture.kafka.records(fixture.kafka.topics().errors()).stream()
                .map(r -> Codec.error(r.value())).toList();
        assertThat(errors).allSatisfy(error -> {
            assertThat(error.kind()).isEqualTo("MALFORMED");
            assertThat(error.source()).containsEntry("topic", fixture.kafka.topics().items()).containsKeys("partition",
                    "offset");
        });
    }

    private record Failing(String on) implements ItemProcessor {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public ProcessedItem process(Item item) {
            if (item.id().equals(on)) {
                throw new IllegalStateException("rejected");
            }
            return ProcessedItem.keep(item);
        }
    }

    private void define(boolean failFast) throws Exception {
        CrawlDefinition definition = Json.read(KafkaFixture.bytes("{\"process\":{\"failFast\":" + failFast + "}}"),
                CrawlDefinition.class);
        fixture.command(CrawlStatus.of(PipelineFixture.DOCS, 1, definition, CrawlState.STARTED));
    }

    private Worker failingOn(String id) throws Exception {
        return fixture.start(Pipeline.factory(plugins -> new ProcessorChain(List.of(new Failing(id))), FileOpener.REAL,
                FaultPoint.NONE), QUICK);
    }

    private CrawlerError onlyError() {
        await().until(() -> !fixture.kafka.values(fixture.kafka.topics().errors()).isEmpty());
        return Codec.error(fixture.kafka.records(fixture.kafka.topics().errors()).getFirst().value());
    }

    @Test
    void aCrawlDecidesWhetherAFailingProcessorKeepsItsItemOut() throws Exception {
        define(false);
        fixture.write(20);
        failingOn("id1");
        awaitStored();
        fixture.assertExact();
        CrawlerError error = onlyError();
        assertThat(error.kind()).isEqualTo("PROCESSOR");
        assertThat(error.cause()).isEqualTo("item processor failing: IllegalStateException: rejected");
        assertThat(error.url()).contains("http://h/1");
    }

    @Test
    void withFailFastTheItemIsNotStored() throws Exception {
        define(true);
        fixture.write(20);
        Worker worker = failingOn("id1");
        awaitStored();
        assertThat(onlyError().kind()).isEqualTo("PROCESSOR");
        assertThat(worker.summary().counts().failed()).isEqualTo(1);
        assertThat(worker.summary().counts().completed()).isEqualTo(19);
    }

    @Test
    void itemsThatAreDroppedOrFailAreInTheLedgerAndCostNoRecordEach() throws Exception {
        fixture.write(400);
        Worker worker = fixture.start(fixture.sieved(), LASTING);
        await().until(() -> worker.summary().counts().accepted() == 400);
        assertThat(fixture.items().settled()).as("nothing is said before it is committed").isZero();
        Map<Integer, Long> ends = fixture.ends();
        fixture.command(new ItemEnds(PipelineFixture.DOCS, 1, ends));
        awaitStored(ends);
        fixture.assertExact();
        assertThat(fixture.kafka.records(fixture.kafka.topics().ledger())).as("one per partition and run")
                .hasSizeLessThanOrEqualTo(2 * PipelineFixture.PARTITIONS);
    }

    @Test
    void itemsOfAReplacedRunAreDropped() throws Exception {
        fixture.command(CrawlStatus.of(io.trawl.model.CrawlRun.parse("docs/2"), 1,
                Json.read(KafkaFixture.bytes("{}"), CrawlDefinition.class), CrawlState.STARTED));
        fixture.write(20);
        fixture.start(Pipeline.factory(), QUICK);
        awaitStored();
        assertThat(temp.resolve("pages/items/docs-1")).doesNotExist();
        assertThat(temp.resolve("pages/items/blog-4")).isNotEmptyDirectory();
    }

    @Test
    void aTableMissesNothingWhileItsServerIsRestarted() throws Exception {
        try (PostgresqlServer server = PostgresqlServer.start()) {
            fixture.withDatabase(server.settings("pages"), () -> server.rows("SELECT id FROM pages"));
            Worker worker = fixture.start(Pipeline.factory(), QUICK);
            fixture.write(200);
            awaitStored();
            server.kill();
            fixture.write(200);
            await().until(() -> ((Map<?, ?>) requireNonNull(worker.stage().extra().get("sinksFailing")))
                    .containsKey("docs/rows"));
            fixture.write(100);
            server.restart();
            awaitStored();
            fixture.assertExact();
        }
    }

    /** The example of the documentation, with the client of Debian. */
    @Test
    void aConsumerInPythonReadsEachItemOfATopicOnce() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/python3")) && python("-c", "import confluent_kafka").waitFor() == 0,
                "needs python3-confluent-kafka of Debian");
        String topic = fixture.withTopicSink();
        fixture.start(Pipeline.factory(), QUICK);
        int pages = 0;
        for (int write = 0; write < 2; write++) {
            fixture.write(150);
            awaitStored();
            pages = fixture.kafka.records(topic).size();
            Process consumer = python(Repository.file("docs/examples/consumer/items_to_sqlite.py").toString(),
                    TestServers.shared().bootstrapServers(), topic, temp.resolve("items.db").toString());
            String said = new String(consumer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(consumer.waitFor()).as(said).isZero();
            assertThat(said).startsWith(pages + " items in ");
        }
        assertThat(pages).isGreaterThan(200);
    }

    private static Process python(String... arguments) throws IOException {
        return new ProcessBuilder(Stream.concat(Stream.of("/usr/bin/python3"), Stream.of(arguments)).toList())
                .redirectErrorStream(true).start();
    }

    @Test
    void aTopicThatIsMissingGetsItsItemsWhenItIsThere() throws Exception {
        String topic = fixture.withTopicSink();
        try (Admin admin = fixture.kafka.kafka().admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
        fixture.write(100);
        Worker worker = fixture.start(Pipeline.factory(), QUICK);
        await().until(() -> String.valueOf(worker.stage().extra().get("sinksFailing"))
                .contains("there is no topic " + topic));
        fixture.kafka.create(topic, 3);
        awaitStored();
        fixture.assertExact();
    }

    @Test
    void anActiveStopSignIsDealtWithAtOnce() throws Exception {
        Worker worker = fixture.start(Pipeline.factory(), QUICK);
        fixture.command(new StopSign(Optional.empty(), 7, true, Instant.EPOCH));
        await().until(() -> worker.stage().deals().stream()
                .anyMatch(deal -> deal.sign().equals("stop/*") && deal.version() == 7 && deal.took().isPresent()));
    }

    @Test
    void storedItemsAreTrimmedAndTheNextOwnerContinuesFromThere() throws Exception {
        fixture.write(100);
        Map<String, String> trimming = new HashMap<>(QUICK);
        trimming.put("trawl.topics.trim-interval", "100ms");
        Worker worker = fixture.start(Pipeline.factory(), trimming);
        awaitStored();
        await().until(() -> fixture.kafka.records(fixture.kafka.topics().items()).isEmpty());
        worker.stop(Duration.ofSeconds(10));
        fixture.write(50);
        fixture.start(Pipeline.factory(), QUICK);
        awaitStored();
        fixture.assertExact();
    }
}
