package io.trawl.channel.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.CrawlId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredPositionTest {
    private static final String FILES = "part-03-00000000000000000120.jsonl.1f3a-7.part 2 items/docs-1 errors/docs-1";

    @Test
    void aPositionThatAllSinksHaveReachedIsTheCommitOfVersionsWithoutSinks() {
        assertThat(StoredPosition.of(120).commit()).isEqualTo(new OffsetAndMetadata(120, ""));
        assertThat(StoredPosition.of(120).with(FILES).commit()).isEqualTo(new OffsetAndMetadata(120, FILES));
        assertThat(StoredPosition.of(new OffsetAndMetadata(120, FILES))).isEqualTo(StoredPosition.of(120).with(FILES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", FILES})
    void theSmallestPositionIsCommittedAndTheRestIsInTheMetadata(String note) {
        StoredPosition position = new StoredPosition(120, note, Map.of("docs.2/index", 17L, "blog/index", 40L));
        assertThat(position.commit().offset()).isEqualTo(17);
        assertThat(position.commit().metadata()).startsWith("~120 blog/index=40 docs.2/index=17");
        assertThat(StoredPosition.of(position.commit())).isEqualTo(position);
    }

    @Test
    void sinksInTopicsMayBeBeyondTheFront() {
        StoredPosition ahead = new StoredPosition(120, "", 140, Map.of());
        assertThat(ahead.commit()).isEqualTo(new OffsetAndMetadata(120, "~120+140"));
        assertThat(StoredPosition.of(ahead.commit())).isEqualTo(ahead);
        assertThat(ahead.holds(new CrawlId("docs"), 121)).isFalse();
        StoredPosition behind = new StoredPosition(120, FILES, 140, Map.of("docs/kafka", 17L, "blog/kafka", 130L));
        assertThat(behind.commit().offset()).isEqualTo(17);
        assertThat(behind.commit().metadata()).startsWith("~120+140 blog/kafka=130 docs/kafka=17 ; part-");
        assertThat(StoredPosition.of(behind.commit())).isEqualTo(behind);
        assertThat(ahead.upTo(130)).isEqualTo(new StoredPosition(120, "", 130, Map.of()));
    }

    @Test
    void theMostThatACommitNamesFits() {
        Map<String, Long> behind = new HashMap<>();
        for (int i = 0; i < StoredPosition.MOST_BEHIND; i++) {
            behind.put(StoredPosition.key("c".repeat(62) + (10 + i), "s".repeat(30)), Long.MAX_VALUE / 10);
        }
        StoredPosition position = new StoredPosition(Long.MAX_VALUE / 10, "n".repeat(2100), behind);
        assertThat(position.commit().metadata()).hasSizeLessThan(4096);
        assertThat(StoredPosition.of(position.commit())).isEqualTo(position);
    }

    @Test
    void aCrawlWaitsForItsOwnSinksOnly() {
        StoredPosition position = new StoredPosition(120, "", Map.of("docs/index", 17L));
        assertThat(position.holds(new CrawlId("docs"), 120)).isFalse();
        assertThat(position.holds(new CrawlId("docs"), 17)).isTrue();
        assertThat(position.holds(new CrawlId("doc"), 120)).isTrue();
        assertThat(position.holds(new CrawlId("blog"), 121)).isFalse();
        assertThat(position.with(FILES).holds(new CrawlId("blog"), 120)).isFalse();
    }

    @Test
    void noPositionIsBeyondTheEndOfALogThatHasLostItems() {
        StoredPosition position = new StoredPosition(120, "", Map.of("docs/index", 17L, "blog/index", 110L));
        assertThat(position.upTo(100))
                .isEqualTo(new StoredPosition(100, "", Map.of("docs/index", 17L, "blog/index", 100L)));
        assertThat(position.upTo(120)).isEqualTo(position);
    }

    @Test
    void aCommitSaysWhichLossInKafkaItsProcessKnew() {
        for (StoredPosition position : List.of(StoredPosition.of(5), StoredPosition.of(5).with(FILES),
                new StoredPosition(120, FILES, 140, Map.of("docs/kafka", 17L)))) {
            OffsetAndMetadata committed = position.commit("1f3a");
            assertThat(StoredPosition.lossKnownTo(committed)).isEqualTo("1f3a");
            assertThat(StoredPosition.of(committed)).isEqualTo(position);
            assertThat(StoredPosition.lossKnownTo(position.commit(""))).isEmpty();
        }
        assertThat(StoredPosition.of(StoredPosition.of(5).commit("1f3a")).complete()).isTrue();
        assertThat(StoredPosition.of(StoredPosition.of(5).with(FILES).commit("1f3a")).complete()).isFalse();
    }

    @Test
    void metadataOfAnUnknownFormIsUnfinishedWork() {
        StoredPosition position = StoredPosition.of(new OffsetAndMetadata(5, "~x"));
        assertThat(position.note()).isEqualTo("~x");
        assertThat(position.holds(new CrawlId("docs"), 5)).isFalse();
    }
}
