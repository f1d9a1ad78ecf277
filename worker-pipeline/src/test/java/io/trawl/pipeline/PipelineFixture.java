package io.trawl.pipeline;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TransactionalWriter;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Response;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.model.PolitenessKey;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.Expulsion;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import io.trawl.worker.StageFactory;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The topics of a pipeline, a folder for its files, a writer of items, and checks of the stored files. */
final class PipelineFixture implements AutoCloseable {
    static final int PARTITIONS = 3;
    static final CrawlRun DOCS = CrawlRun.parse("docs/1");
    static final CrawlRun BLOG = CrawlRun.parse("blog/4");
    final KafkaFixture kafka = new KafkaFixture();
    final Path out;
    private final TransactionalWriter analyzer;
    private final TransactionalWriter leader;
    private final List<Worker> workers = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private boolean sieved;
    private boolean unique;
    private Optional<StoredChunks> chunks = Optional.empty();
    private int responded;
    private Channels counts = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
            .politeness(PolitenessKey.HOST).responses(1).items(PARTITIONS).ledger(1).build();
    /** The sinks of pages beside the JSON lines, by name. */
    private final Map<String, StoredIds> pageSinks = new HashMap<>();

    PipelineFixture(Path out) {
        this.out = out;
        kafka.create(kafka.topics().items(), PARTITIONS);
        kafka.create(kafka.topics().responses(), 1);
        kafka.create(kafka.topics().errors(), 1);
        kafka.create(kafka.topics().ledger(), 1);
        kafka.create(kafka.topics().positions(), 1, Map.of("cleanup.policy", "compact"));
        kafka.create(kafka.topics().control(), 1, Map.of("cleanup.policy", "compact"));
        analyzer = new TransactionalWriter(
                () -> kafka.kafka().transactionalProducer(kafka.topics().analyzerTransactions("test")), Time.system());
        analyzer.open();
        leader = new TransactionalWriter(
                () -> kafka.kafka().transactionalProducer(kafka.topics().coordinatorTransactions()), Time.system());
        leader.open();
    }

    /** The settings of a process as properties. */
    Map<String, String> properties(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(Map.of("trawl.kafka.bootstrap-servers",
                TestServers.shared().bootstrapServers(), "trawl.redis.url", TestServers.shared().redisUrl(),
                "trawl.namespace", kafka.topics().namespace(), "trawl.out", out.toString()));
        all.putAll(more);
        return all;
    }

    Worker start(StageFactory factory, Map<String, String> more) throws InterruptedException {
        Settings settings = SettingsReader.from(properties(more));
        Worker worker = Worker.start(settings, factory, Time.system());
        workers.add(worker);
        return worker;
    }

    /** From now on the items pass {@link Sieve} and nothing else. */
    StageFactory sieved() {
        sieved = true;
        return Pipeline.factory(plugins -> new ProcessorChain(List.of(new Sieve())), FileOpener.REAL, FaultPoint.NONE);
    }

    /** From now on the crawls store one item of those with the same text; error items have no text that counts. */
    void onlyUniqueTexts() throws InterruptedException {
        unique = true;
        define("{\"process\":{\"processors\":[\"sieve\",{\"unique\":[\"text\"]}]}}");
    }

    /** From now on the crawls have a second sink, with the ids of pages as compressed comma-separated values. */
    void withSecondSink() throws InterruptedException {
        pageSinks.put("pages", () -> compressed(".pages.csv.gz"));
        define("""
                {"sinks": [{"type": "jsonl"}, {"name": "pages", "type": "csv", "compress": "gzip", "types": ["page"], "fields": ["id"]}]}
                """);
    }

    /** From now on the crawls have a second sink, {@link IdFolder}, for pages. @return its folder */
    Path withPluginSink() throws Exception {
        Path folder = Files.createDirectories(out.resolveSibling("ids"));
        pageSinks.put("ids", () -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.map(file -> file.getFileName().toString()).toList();
            }
        });
        define(Json.text(Map.of("sinks", List.of(Map.of("type", "jsonl"), Map.of("type", "test.ids", "name", "ids",
                "types", List.of("page"), "settings", Map.of("folder", folder.toString()))))));
        return folder;
    }

    /** From now on the crawls have an archive. */
    void withArchive() throws InterruptedException {
        define("{\"sinks\": [{\"type\": \"jsonl\"}, {\"type\": \"warc\"}]}");
    }

    /** Writes new responses of two crawls. */
    void respond(int responses) throws InterruptedException {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < responses; i++) {
            Response response = WrittenResponses.of(responded, responded % 3 == 0 ? BLOG : DOCS);
            records.add(new ProducerRecord<>(kafka.topics().responses(), null, KafkaFixture.bytes("h"),
                    response.body().bytes(), ResponseHeaders.of(response)));
            responded++;
        }
        assertThat(analyzer.write(records)).isEqualTo(TransactionalWriter.CommitResult.COMMITTED);
    }

    /** Asserts that the archives hold every response that was written, from this one on, once. */
    void assertArchived(int first) throws Exception {
        WrittenResponses.assertArchived(out, IntStream.range(first, responded).boxed().toList());
    }

    /** From now on the crawls have a second sink, a topic. @return its name */
    String withTopicSink() throws InterruptedException {
        return withTopicSink(List.of());
    }

    /** The same, and sinks of chunks, and a topic of the present state. */
    void withTopicSinkAndChunks() throws InterruptedException {
        StoredChunks stored = new StoredChunks(kafka, out, kafka.topics().namespace() + "pieces");
        kafka.create(stored.topic(), 2);
        kafka.create(present(), 2);
        chunks = Optional.of(stored);
        List<Map<String, Object>> sinks = new ArrayList<>(stored.sinks());
        sinks.add(Map.of("type", "kafka", "name", "present", "settings",
                Map.of("topic", present(), "write", "upsert", "gone", "delete")));
        withTopicSink(sinks);
    }

    private String present() {
        return kafka.topics().namespace() + "present";
    }

    private String withTopicSink(List<Map<String, Object>> more) throws InterruptedException {
        String name = kafka.topics().namespace() + "out";
        kafka.create(name, 2);
        pageSinks.put("kafka", () -> idsOfLines(name));
        List<Map<String, Object>> sinks = new ArrayList<>(List.of(Map.of("type", "jsonl"),
                Map.of("type", "kafka", "types", List.of("page"), "settings", Map.of("topic", name))));
        sinks.addAll(more);
        define(Json.text(Map.of("sinks", sinks)));
        return name;
    }

    /** From now on the crawls have a second sink, a table. */
    void withDatabase(Map<String, Object> settings, StoredIds rows) throws InterruptedException {
        pageSinks.put("rows", rows);
        define(Json.text(Map.of("sinks", List.of(Map.of("type", "jsonl"),
                Map.of("type", "postgresql", "name", "rows", "types", List.of("page"), "settings", settings)))));
    }

    /** Reads the ids that a sink has stored. */
    interface StoredIds {
        List<String> read() throws IOException, SQLException;
    }

    /** The pages of the first crawl are visited again. */
    private void define(String json) throws InterruptedException {
        CrawlDefinition definition = Json.read(KafkaFixture.bytes(json), CrawlDefinition.class);
        RunVisits visits = new RunVisits(0, Optional.empty(), Optional.empty());
        command(CrawlStatus.of(DOCS, 1, definition, CrawlState.STARTED).withVisits(Optional.of(visits)));
        command(CrawlStatus.of(BLOG, 1, definition, CrawlState.STARTED));
    }

    /** Texts of 40 groups of items. */
    private String text(int number) {
        return unique ? "text " + number % 40 : chunks.isPresent() ? StoredChunks.text(number) : "some text";
    }

    /** The run and the text of a page; nothing is like an error. */
    private String content(int number) {
        return number % 7 == 0 ? "error " + number : (number % 3 == 0 ? "blog " : "docs ") + text(number);
    }

    /** Writes new items of two crawls in one transaction; some of them are errors. */
    void write(int items) throws InterruptedException {
        List<ProducerRecord<byte[], byte[]>> records = IntStream.range(sent.size(), sent.size() + items)
                .mapToObj(this::record).toList();
        IntStream.range(sent.size(), sent.size() + items).forEach(i -> sent.add("id" + i));
        assertThat(analyzer.write(records)).isEqualTo(TransactionalWriter.CommitResult.COMMITTED);
    }

    private ProducerRecord<byte[], byte[]> record(int number) {
        Item item = item(number);
        return record(item.id(), Codec.encode(item));
    }

    private Item item(int number) {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("text", text(number)));
        if (gone(number)) {
            fields.put("change", "gone");
        }
        return new Item("id" + number, "kid" + number, (number % 3 == 0 ? BLOG : DOCS).toString(),
                number % 7 == 0 ? ItemKind.ERROR : ItemKind.PAGE, "http://h/" + number, fields);
    }

    private static boolean gone(int number) {
        return number % 14 == 0;
    }

    private ProducerRecord<byte[], byte[]> record(String key, byte[] value) {
        Integer partition = counts.items() == PARTITIONS ? null : Math.floorMod(key.hashCode(), counts.items());
        return new ProducerRecord<>(kafka.topics().items(), partition, KafkaFixture.bytes(key), value);
    }

    /** Writes a record that is not an item. */
    void writeRaw(String key, String value) throws InterruptedException {
        analyzer.write(List.of(record(key, KafkaFixture.bytes(value))));
    }

    /** Items are written to so many partitions from now on. */
    void writeItemsTo(int partitions) throws InterruptedException, ExecutionException {
        if (partitions > counts.readItems()) {
            try (Admin admin = kafka.kafka().admin()) {
                admin.createPartitions(Map.of(kafka.topics().items(), NewPartitions.increaseTo(partitions))).all()
                        .get();
            }
        }
        counts = counts.writingItemsTo(partitions);
    }

    /** Pipelines hear how many partitions there are. */
    void tellCounts() throws InterruptedException {
        command(counts);
    }

    void command(ControlRecord record) throws InterruptedException {
        leader.write(List.of(new ProducerRecord<>(kafka.topics().control(), KafkaFixture.bytes(record.key()),
                Codec.encode(record))));
    }

    /** The high-water marks of the items topic, as the leader notes them. */
    Map<Integer, Long> ends() {
        return ends(kafka.topics().items(), counts.readItems());
    }

    /** The high-water marks of a topic. */
    Map<Integer, Long> ends(String topic, int partitions) {
        return byNumber(kafka.highWaterMarks(
                IntStream.range(0, partitions).mapToObj(partition -> new TopicPartition(topic, partition)).toList()));
    }

    private static <T> Map<Integer, T> byNumber(Map<TopicPartition, T> byPartition) {
        Map<Integer, T> byNumber = new HashMap<>();
        byPartition.forEach((partition, value) -> byNumber.put(partition.partition(), value));
        return byNumber;
    }

    /** Says that the first crawl is finished, as the leader does. */
    void finishDocs() throws InterruptedException {
        command(new ItemEnds(DOCS, 1, ends()));
        command(CrawlStatus.of(DOCS, 2, Json.read(KafkaFixture.bytes("{}"), CrawlDefinition.class), CrawlState.STOPPED)
                .withEnd(Optional.of(new End(EndReason.FINISHED, Instant.EPOCH.plus(Duration.ofDays(365_000))))));
    }

    /** Asserts that the manifest of the first crawl lists its finished files, with as many items as they have lines. */
    void assertManifestOfDocs() throws IOException {
        JsonNode manifest = Json.mapper().readTree(files("_manifest.json").getFirst().toFile());
        Map<String, Long> lines = new HashMap<>();
        for (Path file : files(".jsonl")) {
            if (out.relativize(file).startsWith("items/docs-1") || out.relativize(file).startsWith("errors/docs-1")) {
                lines.put(out.relativize(file).toString(), (long) Files.readAllLines(file).size());
            }
        }
        Map<String, Long> listed = new HashMap<>();
        manifest.at("/files").forEach(file -> listed.put(file.at("/path").asText(), file.at("/items").asLong()));
        assertThat(listed).isEqualTo(lines).isNotEmpty();
    }

    /** How many partitions each pipeline of the group is assigned. */
    List<Integer> assigned() throws InterruptedException {
        String group = kafka.topics().pipelineGroup();
        try (Admin admin = kafka.kafka().admin()) {
            return requireNonNull(admin.describeConsumerGroups(List.of(group)).all().get().get(group)).members()
                    .stream().map(member -> member.assignment().topicPartitions().size()).toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The committed offsets of the pipelines' group; partitions without a commit are missing. */
    Map<Integer, OffsetAndMetadata> committed() {
        return byNumber(kafka.committed(kafka.topics().pipelineGroup()));
    }

    /** The broker expels all pipelines from a group now, and not only when their sessions expire. */
    void expel(String group) {
        try (Admin admin = kafka.kafka().admin()) {
            Expulsion.ofAll(group, admin);
        }
    }

    /** Whether everything up to these ends is stored and no rename is pending; the leader uses the same condition. */
    boolean storedUpTo(Map<Integer, Long> ends) {
        return storedUpTo(kafka.topics().pipelineGroup(), ends);
    }

    boolean storedUpTo(String group, Map<Integer, Long> ends) {
        Map<Integer, OffsetAndMetadata> committed = byNumber(kafka.committed(group));
        return ends.entrySet().stream()
                .allMatch(end -> end.getValue() == 0
                        || committed.containsKey(end.getKey()) && committed.get(end.getKey()).offset() >= end.getValue()
                                && committed.get(end.getKey()).metadata().isEmpty());
    }

    /**
     * Asserts that the finished files hold every written item once, in the file of its run and kind, and that the
     * ledger says so.
     */
    void assertExact() throws IOException, SQLException {
        List<String> found = new ArrayList<>();
        for (Path file : files(".jsonl")) {
            if (file.startsWith(out.resolve(SinkFolder.CHUNKS))) {
                continue;
            }
            Files.readAllLines(file).forEach(line -> found.add(checked(file, line)));
        }
        List<String> passed = sent.stream()
                .filter(id -> !sieved || !Sieve.drops(number(id)) && !Sieve.fails(number(id))).toList();
        if (unique) {
            assertThat(passed).containsAll(found);
            assertThat(found.stream().map(id -> content(number(id)))).containsExactlyInAnyOrderElementsOf(
                    passed.stream().map(id -> content(number(id))).distinct().toList());
        } else {
            assertThat(found).containsExactlyInAnyOrderElementsOf(passed);
        }
        ItemCounts all = items();
        if (chunks.isPresent()) {
            chunks.get().assertExact(passed.stream().map(id -> item(number(id))).toList(), all);
        }
        List<String> pages = found.stream().filter(id -> number(id) % 7 != 0).toList();
        for (Map.Entry<String, StoredIds> sink : pageSinks.entrySet()) {
            assertThat(sink.getValue().read()).as(sink.getKey()).containsExactlyInAnyOrderElementsOf(pages);
            Map<String, Long> stored = new HashMap<>(
                    Map.of("jsonl", (long) found.size(), sink.getKey(), (long) pages.size()));
            if (chunks.isPresent()) {
                stored.put("present", (long) assertPresent(found));
            }
            assertThat(all.sinks()).isEqualTo(stored);
        }
        assertThat(all.stored()).as("%s", all).isEqualTo(found.size());
        assertThat(all.settled()).as("%s", all).isEqualTo(sent.size());
        if (sieved) {
            Map<String, Long> dropped = new HashMap<>(counts("sieve: ends with 4", Sieve::drops));
            if (unique) {
                dropped.put("unique: text", (long) passed.size() - found.size());
            }
            assertThat(all.dropped()).isEqualTo(dropped);
            assertThat(all.rejected()).isEqualTo(counts("sieve: IllegalStateException", Sieve::fails));
            assertThat(all.errors()).isEqualTo(counts("PROCESSOR", Sieve::fails));
        }
    }

    /**
     * Asserts that each page has one record with its key, each item that is gone one tombstone, and no failure one.
     *
     * @return how many records there are
     */
    private int assertPresent(List<String> ids) {
        List<ConsumerRecord<byte[], byte[]>> records = kafka.records(present());
        assertThat(records.stream().map(record -> new String(record.key(), StandardCharsets.UTF_8) + " "
                + (record.value() == null ? "gone" : Json.read(record.value(), JsonNode.class).path("id").asText())))
                .containsExactlyInAnyOrderElementsOf(ids.stream().filter(id -> gone(number(id)) || number(id) % 7 != 0)
                        .map(id -> "k" + id + " " + (gone(number(id)) ? "gone" : id)).toList());
        return records.size();
    }

    /** The ids of the records of a topic, which are the lines of the pages. */
    private List<String> idsOfLines(String topic) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files(".jsonl")) {
            Files.readAllLines(file).stream().filter(line -> file.startsWith(out.resolve("items"))).forEach(lines::add);
        }
        List<ConsumerRecord<byte[], byte[]>> records = kafka.records(topic);
        assertThat(records.stream().map(PipelineFixture::line)).containsExactlyInAnyOrderElementsOf(lines);
        return records.stream().map(record -> new String(record.key(), StandardCharsets.UTF_8)).toList();
    }

    /** The value of a record whose key and headers are those of its item. */
    private static String line(ConsumerRecord<byte[], byte[]> record) {
        String line = new String(record.value(), StandardCharsets.UTF_8);
        String id = new String(record.key(), StandardCharsets.UTF_8);
        assertThat(line).startsWith("{\"id\":\"" + id + "\"");
        CrawlRun run = number(id) % 3 == 0 ? BLOG : DOCS;
        assertThat(record.headers().lastHeader("crawl").value()).asString(StandardCharsets.UTF_8)
                .isEqualTo(run.crawl().value());
        assertThat(record.headers().lastHeader("run").value()).asString(StandardCharsets.UTF_8)
                .isEqualTo(run.toString());
        return line;
    }

    private List<String> compressed(String ending) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files(ending)) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).forEach(lines::add);
            }
        }
        return lines;
    }

    private Map<String, Long> counts(String name, IntPredicate which) {
        long count = sent.stream().mapToInt(PipelineFixture::number).filter(which).count();
        return count == 0 ? Map.of() : Map.of(name, count);
    }

    /** What the ledger says of the items of both runs. */
    ItemCounts items() {
        return kafka.records(kafka.topics().ledger()).stream().map(record -> Codec.ledger(record.value()))
                .map(record -> record.items().orElseThrow()).reduce(ItemCounts.NONE, ItemCounts::plus);
    }

    /**
     * Asserts that the ledger has accounted for the items below the committed offsets and for no others; no pipeline
     * may run.
     */
    void assertAccountedForWhatIsCommitted() {
        Map<Integer, OffsetAndMetadata> committed = committed();
        long below = kafka.records(kafka.topics().items()).stream()
                .filter(record -> committed.containsKey(record.partition())
                        && record.offset() < committed.get(record.partition()).offset())
                .count();
        assertThat(items().settled()).isEqualTo(below);
    }

    static int number(String id) {
        return Integer.parseInt(id.substring(2));
    }

    private String checked(Path file, String line) {
        try {
            var json = Json.mapper().readTree(line);
            int number = number(json.get("id").asText());
            assertThat(out.relativize(file).getName(0).toString()).isEqualTo(number % 7 == 0 ? "errors" : "items");
            assertThat(out.relativize(file).getName(1).toString()).isEqualTo(number % 3 == 0 ? "blog-4" : "docs-1");
            return json.get("id").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(out)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        } catch (UncheckedIOException e) {
            // A file was renamed during the check.
            if (e.getCause() instanceof NoSuchFileException) {
                return files(ending);
            }
            throw e;
        }
    }

    @Override
    public void close() {
        workers.forEach(worker -> worker.stop(Duration.ofSeconds(10)));
        analyzer.close();
        leader.close();
    }
}
