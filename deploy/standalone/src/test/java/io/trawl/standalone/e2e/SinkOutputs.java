package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.testkit.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcTargetRecord;

/** Several sinks of one crawl: compressed CSV, a topic and an archive hold what the JSON lines hold, each once. */
final class SinkOutputs {
    private static final String TOPIC = "chaos.sink";
    private static final Duration POLL = Duration.ofMillis(500);

    private SinkOutputs() {}

    /** The crawl with these sinks beside JSON lines. */
    static CrawlDefinition with(CrawlDefinition definition) {
        return definition.withSinks(List.of(Json.read("""
                [{"type": "jsonl"}, {"type": "csv", "compress": "gzip", "fields": ["id", "url"]},
                 {"type": "kafka", "settings": {"topic": "%s"}}, {"type": "warc"}]""".formatted(TOPIC)
                .getBytes(StandardCharsets.UTF_8), SinkDefinition[].class)));
    }

    /** Every sink has the items of the JSON lines, and the archive has an answer for each. */
    static void equal(Output lines, Path out, String bootstrapServers) {
        Set<String> ids = Stream.of(lines.pages(), lines.errors()).map(Map::values).flatMap(Collection::stream)
                .map(item -> item.path("id").asText()).collect(Collectors.toSet());
        assertThat(csv(out)).as("ids in the CSV files").doesNotHaveDuplicates().hasSameElementsAs(ids);
        assertThat(records(bootstrapServers, TOPIC).stream().map(ConsumerRecord::key)).as("ids in the topic")
                .doesNotHaveDuplicates().hasSameElementsAs(ids);
        Set<String> urls = Stream.of(lines.pages(), lines.errors()).map(Map::keySet).flatMap(Collection::stream)
                .collect(Collectors.toSet());
        assertThat(archived(out)).as("URLs in the archive").containsAll(urls);
    }

    private static List<String> csv(Path out) {
        return files(out, ".csv.gz").stream().flatMap(file -> {
            try (BufferedReader in = new BufferedReader(
                    new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
                return in.lines().skip(1).map(line -> line.substring(0, line.indexOf(','))).toList().stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }).toList();
    }

    /** All records of a topic whose transactions are committed. */
    static List<ConsumerRecord<String, byte[]>> records(String bootstrapServers, String topic) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = IntStream.range(0, consumer.partitionsFor(topic).size())
                    .mapToObj(number -> new TopicPartition(topic, number)).toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(POLL).forEach(records::add);
            }
        }
        return records;
    }

    /** The URLs of all answers; fails if a record is there twice. */
    private static Set<String> archived(Path out) {
        Set<URI> records = new HashSet<>();
        Set<String> urls = new HashSet<>();
        for (Path file : files(out, ".warc.gz")) {
            try (WarcReader reader = new WarcReader(file)) {
                for (Optional<WarcRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                    assertThat(records.add(next.get().id())).as("%s is new in %s", next.get().id(), file).isTrue();
                    if (next.get() instanceof WarcResponse || next.get() instanceof WarcRevisit) {
                        urls.add(((WarcTargetRecord) next.get()).target());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return urls;
    }

    private static List<Path> files(Path out, String ending) {
        return Output.all(out).stream().filter(file -> file.toString().endsWith(ending)).toList();
    }
}
