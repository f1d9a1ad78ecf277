package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.FirstItemStore.ContentOfItem;
import io.trawl.ledger.FirstItemStore.HashOfItem;
import io.trawl.ledger.FirstItemStore.SimilarItem;
import io.trawl.ledger.Fingerprint;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import io.trawl.model.CrawlRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisFirstItemsIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/2");
    private final String namespace = TestRedis.namespace();
    private final RedisStore store = TestRedis.shared().store(namespace);
    private final FirstItemStore firstItems = store.firstItems();

    @AfterEach
    void close() {
        store.close();
    }

    private static ContentOfItem item(String content, String id) {
        return new ContentOfItem(Fingerprint.of(content), id);
    }

    @Test
    void theFirstItemWithAContentStaysTheFirst() {
        assertThat(firstItems.learn(RUN, List.of(item("x", "i1"), item("y", "i2"), item("x", "i3"), item("x", "i1"))))
                .containsExactly("i1", "i2", "i1", "i1");
        try (RedisStore other = TestRedis.shared().store(namespace)) {
            assertThat(other.firstItems().learn(RUN, List.of(item("y", "i3"), item("y", "i2")))).containsExactly("i2",
                    "i2");
        }
        assertThat(firstItems.learn(CrawlRun.parse("docs/3"), List.of(item("x", "i9")))).containsExactly("i9");
        List<ContentOfItem> many = IntStream.range(0, 2500).mapToObj(i -> item("c" + i, "m" + i)).toList();
        assertThat(firstItems.learn(RUN, many)).isEqualTo(many.stream().map(ContentOfItem::item).toList());
    }

    @Test
    void ofEarlierItemsTheMostSimilarOneIsFoundAlsoAtARepeat() {
        List<HashOfItem> items = List.of(new HashOfItem(0xf0f0_1234_5678_9abcL, "i1"),
                new HashOfItem(0xf0f0_1234_5678_9ab8L, "i2"), new HashOfItem(0xf0f1_1235_5679_9abdL, "i3"),
                new HashOfItem(0xf0f1_1235_5679_9abcL, "i4"), new HashOfItem(0xf0f0_1234_5678_9ab8L, "i5"));
        List<Optional<SimilarItem>> expected = List.of(Optional.empty(), Optional.of(new SimilarItem("i1", 1)),
                Optional.empty(), Optional.of(new SimilarItem("i3", 1)), Optional.of(new SimilarItem("i2", 0)));
        assertThat(firstItems.similar(RUN, items)).isEqualTo(expected);
        assertThat(firstItems.similar(RUN, items)).isEqualTo(expected);
        assertThat(firstItems.similar(RUN, List.of(items.get(1), items.getFirst()))).containsExactly(expected.get(1),
                Optional.empty());
        store.ledger(16).forget(RUN);
        assertThat(firstItems.similar(RUN, List.of(items.get(4)))).containsExactly(Optional.empty());
    }

    @Test
    void aRunThatIsOverAndALossOfRecordsAreForgotten() {
        firstItems.learn(RUN, List.of(item("x", "i1")));
        store.ledger(16).forget(RUN);
        assertThat(firstItems.learn(RUN, List.of(item("x", "i2")))).containsExactly("i2");
        store.forgetBefore(KafkaLoss.after(Optional.empty(), new Cut(7, Map.of()), List.of(), Instant.EPOCH));
        assertThat(firstItems.learn(RUN, List.of(item("x", "i3")))).containsExactly("i3");
    }
}
