package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.channel.TransactionalWriter;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.Body;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.postgresql.PostgresqlServer;
import io.trawl.pipeline.postgresql.PostgresqlSink;
import io.trawl.pipeline.opensearch.OpenSearchServer;
import io.trawl.pipeline.opensearch.OpenSearchSink;
import io.trawl.pipeline.s3.S3Server;
import io.trawl.pipeline.s3.S3Sink;
import io.trawl.pipeline.remote.ServerProcess;
import io.trawl.pipeline.spi.Capture;
import io.trawl.pipeline.warc.WarcSegment;
import io.trawl.time.Time;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Run by hand ({@code -Dit.test=SinkCpuBench}): the CPU time of the pipeline for each item that a sink stores, by the
 * operating system's account of this process; servers are others. It begins when an item is there as an object, and
 * ends when it is stored: in files forced to disk, or in a transaction that is committed. {@code -Dbench.kafka} names
 * the servers of a Kafka in another process, with the topic {@code bench}; without it no topic is measured.
 */
class SinkCpuBench {
    private static final int ITEMS = 5000;
    private static final int WARM_UPS = 3;
    private static final int RUNS = 7;
    private static final int BATCH = 500;
    private static final int LARGE_BATCH = 1500;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final CrawlVariables VARIABLES = new CrawlVariables(
            Map.of("TRAWL_SECRET_DB", PostgresqlServer.PASSWORD));
    @TempDir
    private Path folder;
    private int passes;

    /** Stores all items. */
    private interface Storing {
        void store(List<Item> items) throws Exception;
    }

    @Test
    void measure() throws Exception {
        files();
        archive();
        servers();
        String kafka = System.getProperty("bench.kafka", "");
        if (!kafka.isEmpty()) {
            topic(kafka);
        }
    }

    private void files() throws Exception {
        for (SinkDefinition sink : List.of(file("jsonl", ""), file("jsonl", "gzip"), file("jsonl", "zstd"),
                file("csv", "", "id", "url", "title", "text"), file("parquet", ""), file("parquet", "zstd"))) {
            FileFormat format = FileFormat.of(sink, List.of());
            measure(sink.type() + " " + sink.compress().orElse(""), items -> {
                SinkBench bench = new SinkBench(folder.resolve("files" + passes), items.size());
                FileSink files = bench.process(64 << 20, FaultPoint.NONE);
                files.takeOver(Set.of(SinkBench.PARTITION));
                for (int i = 0; i < items.size(); i++) {
                    bench.add(files, i, items.get(i), List.of(format.line(items.get(i))));
                }
                files.close(SinkBench.PARTITION);
            });
        }
    }

    private static SinkDefinition file(String type, String compress, String... fields) {
        return SinkDefinition.files(type, Optional.empty(), Optional.of(compress).filter(word -> !word.isEmpty()),
                List.of(fields));
    }

    /** Responses, each with a body of its own. */
    private void archive() throws Exception {
        byte[] html = text(new Random(7), 14_000).getBytes(StandardCharsets.UTF_8);
        measure("warc", items -> {
            WarcSegment segment = new WarcSegment("part-03.warc.gz");
            try (OutputStream out = Files.newOutputStream(folder.resolve("archive" + passes))) {
                out.write(segment.header(SinkBench.DOCS, Instant.EPOCH));
                for (int i = 0; i < items.size(); i++) {
                    byte[] body = html.clone();
                    byte[] own = items.get(i).id().getBytes(StandardCharsets.UTF_8);
                    System.arraycopy(own, 0, body, 0, own.length);
                    out.write(segment.add(new Capture("c1", 3, i, response(items.get(i).url(), body), false)));
                }
                out.write(segment.index());
            }
        });
    }

    private static Response response(String url, byte[] body) {
        Request request = RequestBuilder.builder().id(new RequestId(7)).run(SinkBench.DOCS).url(url)
                .host(new HostKey("example.org:443")).depth(2).priority(1).domains(1)
                .parent(Optional.of("https://example.org/")).build();
        return new Response(request, new Outcome.Success(200, false), MID.parse("D1|127.0.0.1:80"), Instant.EPOCH,
                Duration.ofMillis(5), 1, Map.of("content-type", "text/html"), new Body(body),
                Optional.of(
                        new ArchivedExchange("GET /a HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Trawl/0.1\r\n\r\n",
                                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: example\r\n\r\n",
                                Optional.of("192.0.2.7"), "http/1.1", false)),
                Optional.empty(), Optional.empty());
    }

    private void servers() throws Exception {
        try (PostgresqlServer server = PostgresqlServer.start();
                PostgresqlSink sink = new PostgresqlSink(VARIABLES, () -> "log", LIMIT)) {
            measure("postgresql", items -> batches(sink, server.settings("bench"), items, BATCH));
        }
        Path index = Files.createTempDirectory("trawl-opensearch");
        try (ServerProcess server = OpenSearchServer.start(index);
                OpenSearchSink sink = new OpenSearchSink(VARIABLES, LIMIT, Time.system())) {
            measure("opensearch",
                    items -> batches(sink, Map.of("url", server.url().toString(), "index", "bench"), items, BATCH));
        }
        try (ServerProcess server = S3Server.start(Files.createDirectory(folder.resolve("s3")))) {
            for (String compress : List.of("", "zstd")) {
                try (S3Sink sink = new S3Sink(VARIABLES, Map.of("AWS_ACCESS_KEY_ID", "k", "AWS_SECRET_ACCESS_KEY", "s"),
                        () -> "log" + compress, LIMIT, Time.system())) {
                    Map<String, Object> settings = new LinkedHashMap<>(
                            Map.of("endpoint", server.url().toString(), "bucket", "bucket"));
                    if (!compress.isEmpty()) {
                        settings.put(SinkDefinition.COMPRESS, compress);
                    }
                    measure("s3 " + compress, items -> batches(sink, settings, items, LARGE_BATCH));
                }
            }
        }
    }

    private void batches(Sink sink, Map<String, Object> settings, List<Item> items, int size) throws Exception {
        for (int from = 0; from < items.size(); from += size) {
            long first = (long) passes * ITEMS + from;
            List<Item> batch = items.subList(from, Math.min(items.size(), from + size));
            sink.store(new SinkBatch("docs", "bench", settings, 3,
                    IntStream.range(0, batch.size()).mapToObj(i -> new PlacedItem(first + i, batch.get(i))).toList()));
        }
    }

    private void topic(String bootstrapServers) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "bench",
                "linger.ms", 5, "compression.type", "lz4");
        try (TransactionalWriter writer = new TransactionalWriter(
                () -> new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()),
                Time.system())) {
            writer.open();
            measure("kafka", items -> {
                for (int from = 0; from < items.size(); from += BATCH) {
                    writer.write(items.subList(from, Math.min(items.size(), from + BATCH)).stream()
                            .map(item -> new ProducerRecord<>("bench", item.id().getBytes(StandardCharsets.UTF_8),
                                    FileFormat.object(item, List.of())))
                            .toList());
                }
            });
        }
    }

    private void measure(String name, Storing storing) throws Exception {
        List<Double> micros = new ArrayList<>();
        for (int run = 0; run < WARM_UPS + RUNS; run++) {
            passes++;
            List<Item> items = items();
            System.gc();
            long began = cpu();
            storing.store(items);
            if (run >= WARM_UPS) {
                micros.add((cpu() - began) / 1e3 / ITEMS);
            }
        }
        micros.sort(null);
        System.out.println(String.format(Locale.ROOT, "| %s | %.0f | %.0f to %.0f |", name.strip(),
                micros.get(RUNS / 2), micros.getFirst(), micros.getLast()));
    }

    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** Pages of a usual size, with ids that no run had before. */
    private List<Item> items() {
        Random random = new Random(passes);
        return IntStream.range(0, ITEMS).mapToObj(i -> {
            String id = passes + "-" + i;
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("status", 200);
            fields.put("depth", 2);
            fields.put("parent", "https://example.org/");
            fields.put("fetchedAt", "2026-01-02T03:04:05.678Z");
            fields.put("responseTime", 12);
            fields.put("attempts", 1);
            fields.put("contentType", "text/html");
            fields.put("bytes", 14_000);
            fields.put("title", text(random, 40));
            fields.put("text", text(random, 4000));
            fields.put("links", IntStream.range(0, 30)
                    .mapToObj(n -> "https://example.org/" + text(random, 20).replace(' ', '-')).toList());
            return new Item(id, "k" + id, "docs/1", ItemKind.PAGE, "https://example.org/" + id, fields);
        }).toList();
    }

    /** Words of a vocabulary of a few thousand. */
    private static String text(Random random, int length) {
        StringBuilder text = new StringBuilder(length + 8);
        while (text.length() < length) {
            text.append(Integer.toString(10_000 + (int) Math.abs(random.nextGaussian() * 2000), 36)).append(' ');
        }
        return text.toString();
    }
}
