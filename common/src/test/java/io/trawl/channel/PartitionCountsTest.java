package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.offset.LayoutHeader;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.PolitenessKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class PartitionCountsTest {
    private static final TopicNames NAMES = new TopicNames("trawl.");
    private static final Channels FIRST = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
            .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build();

    private static PartitionCounts counts(Channels channels) {
        return PartitionCounts.fixed(NAMES, channels);
    }

    private static byte[] key(int number) {
        return ("item " + number).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean serves(Channels channels, String topic, int partition) {
        return counts(channels).serves(new TopicPartition(topic, partition));
    }

    @Test
    void itemsAreWrittenToThePresentNumberOfPartitionsAndReadFromAllThatTheyWereWrittenTo() {
        Channels fewer = FIRST.writingItemsTo(12).writingItemsTo(2);

        assertThat(IntStream.range(0, 200).map(i -> counts(fewer).partition(NAMES.items(), key(i), 20))).as("spread")
                .containsOnly(0, 6);
        assertThat(serves(fewer, NAMES.items(), 11)).isTrue();
        assertThat(serves(fewer, NAMES.items(), 12)).isFalse();
        assertThat(serves(fewer, NAMES.responses(), 8)).as("other topics keep their number").isFalse();
    }

    @Test
    void aResponseNamesTheLayoutOfThePartitionItIsWrittenToAndACopyForgetsTheFormerOne() {
        Channels more = FIRST.closingResponses(12, Instant.EPOCH).openingResponses(Collections.nCopies(8, 10L));
        Channels fewer = more.responsesHandled().closingResponses(2, Instant.EPOCH)
                .openingResponses(Collections.nCopies(12, 20L));
        List<ProducerRecord<byte[], byte[]>> written = IntStream.range(0, 100)
                .mapToObj(
                        i -> counts(fewer).response(key(i), key(i), List.of(new RecordHeader("trawl", key(i))), false))
                .toList();

        assertThat(written).extracting(ProducerRecord::partition).as("spread").containsOnly(0, 6);
        assertThat(written).allSatisfy(record -> {
            assertThat(record.partition()).isEqualTo(counts(fewer).partition(NAMES.responses(), record.key(), 20));
            assertThat(LayoutHeader.of(record.headers())).isEqualTo(new LayoutHeader(2, false, 0));
            var copy = counts(more).response(record.key(), record.value(), record.headers(), true);
            assertThat(LayoutHeader.of(copy.headers())).isEqualTo(new LayoutHeader(1, true, 0));
            assertThat(copy.headers().toArray()).hasSameSizeAs(record.headers().toArray());
        });
        assertThat(serves(fewer, NAMES.responses(), 11)).as("all are read").isTrue();
        assertThat(serves(fewer, NAMES.responses(), 12)).isFalse();
        assertThat(LayoutHeader.of(new RecordHeaders())).as("of another program")
                .isEqualTo(new LayoutHeader(0, false, 0));
    }

    @Test
    void aRunKeepsItsPartitionOfTheLedgerAndLaterOnesAreSpreadOverTheNewCount() {
        List<CrawlRun> runs = IntStream.range(0, 200).mapToObj(i -> new CrawlRun(new CrawlId("crawl-" + i), 7))
                .toList();
        List<CrawlRun> next = runs.stream().map(run -> new CrawlRun(run.crawl(), 8)).toList();
        Channels more = FIRST.writingLedgerTo(30, runs);
        Channels fewer = more.writingLedgerTo(2, next);

        assertThat(partitions(fewer, runs)).isEqualTo(partitions(more, runs)).isEqualTo(partitions(FIRST, runs));
        assertThat(partitions(fewer, next)).isEqualTo(partitions(more, next)).contains(29);
        assertThat(partitions(fewer, runs.stream().map(run -> new CrawlRun(run.crawl(), 9)).toList())).containsOnly(0,
                1);
        assertThat(serves(fewer, NAMES.ledger(), 29)).as("all are read").isTrue();
        assertThat(serves(fewer, NAMES.ledger(), 30)).isFalse();
        assertThat(runs).allSatisfy(run -> {
            ProducerRecord<byte[], byte[]> closing = counts(fewer).closing(run);
            assertThat(closing.partition()).isEqualTo(counts(FIRST).ledger(LedgerRecord.empty(run)).partition());
            assertThat(Codec.ledger(closing.value()).run()).isEqualTo(new CrawlRun(run.crawl(), 8));
        });
        assertThat(Codec.control(Codec.encode(fewer))).isEqualTo(fewer);
    }

    private static List<Integer> partitions(Channels channels, List<CrawlRun> runs) {
        return runs.stream().map(run -> counts(channels).ledger(LedgerRecord.empty(run)).partition()).toList();
    }

    @Test
    void anItemIsLookedForInEachPartitionThatItMayHaveBeenWrittenTo() {
        Channels changed = FIRST.writingItemsTo(12).writingItemsTo(2).writingItemsTo(12);

        assertThat(changed.formerItems()).containsExactly(4, 12, 2);
        IntStream.range(0, 200)
                .forEach(i -> assertThat(counts(changed).partitions(NAMES.items(), key(i), 12)).contains(
                        counts(FIRST).partition(NAMES.items(), key(i), 4),
                        counts(changed).partition(NAMES.items(), key(i), 12)));
    }
}
