package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.FirstItemStore.JudgedItem;
import io.trawl.ledger.FirstItemStore.ContentOfItem;
import io.trawl.ledger.FirstItemStore.HashOfItem;
import io.trawl.ledger.FirstItemStore.SimilarItem;
import io.trawl.ledger.FirstItemStore.VisitedPage;
import io.trawl.ledger.Fingerprint;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.RandomSeed;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
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
        return new ContentOfItem(Optional.of(Fingerprint.of(content)), new JudgedItem(id, Optional.empty()));
    }

    private static HashOfItem hash(long hash, String id) {
        return new HashOfItem(Optional.of(hash), new JudgedItem(id, Optional.empty()));
    }

    @Test
    void theFirstItemWithAContentStaysTheFirst() {
        assertThat(firstItems.learn(RUN, List.of(item("x", "i1"), item("y", "i2"), item("x", "i3"), item("x", "i1"))))
                .containsExactly(true, true, false, true);
        try (RedisStore other = TestRedis.shared().store(namespace)) {
            assertThat(other.firstItems().learn(RUN, List.of(item("y", "i3"), item("y", "i2")))).containsExactly(false,
                    true);
        }
        assertThat(firstItems.learn(CrawlRun.parse("docs/3"), List.of(item("x", "i9")))).containsExactly(true);
        List<ContentOfItem> many = IntStream.range(0, 2500).mapToObj(i -> item("c" + i, "m" + i)).toList();
        assertThat(firstItems.learn(RUN, many)).hasSize(2500).doesNotContain(false);
        List<ContentOfItem> others = IntStream.range(0, 2500).mapToObj(i -> item("c" + i, "n" + i)).toList();
        assertThat(firstItems.learn(RUN, others)).hasSize(2500).doesNotContain(true);
    }

    @Test
    void ofEarlierItemsTheMostSimilarOneIsFoundAlsoAtARepeat() {
        List<HashOfItem> items = List.of(hash(0xf0f0_1234_5678_9abcL, "i1"), hash(0xf0f0_1234_5678_9ab8L, "i2"),
                hash(0xf0f1_1235_5679_9abdL, "i3"), hash(0xf0f1_1235_5679_9abcL, "i4"),
                hash(0xf0f0_1234_5678_9ab8L, "i5"));
        List<Optional<SimilarItem>> expected = List.of(Optional.empty(), Optional.of(new SimilarItem("i1", 1)),
                Optional.empty(), Optional.of(new SimilarItem("i3", 1)), Optional.of(new SimilarItem("i2", 0)));
        assertThat(firstItems.similar(RUN, items)).isEqualTo(expected);
        assertThat(firstItems.similar(RUN, items)).isEqualTo(expected);
        assertThat(firstItems.similar(RUN, List.of(items.get(1), items.getFirst()))).containsExactly(expected.get(1),
                Optional.empty());
        store.ledger().forget(RUN);
        assertThat(firstItems.similar(RUN, List.of(items.get(4)))).containsExactly(Optional.empty());
    }

    @Test
    void aRunThatIsOverAndALossOfRecordsAreForgotten() {
        firstItems.learn(RUN, List.of(item("x", "i1")));
        store.ledger().forget(RUN);
        assertThat(firstItems.learn(RUN, List.of(item("x", "i2")))).containsExactly(true);
        store.forgetBefore(KafkaLoss.after(Optional.empty(), new Cut(7, Map.of()), List.of(), Instant.EPOCH));
        assertThat(firstItems.learn(RUN, List.of(item("x", "i3")))).containsExactly(true);
    }

    private static JudgedItem visited(int page, int item, CrawlRun run) {
        return new JudgedItem("id of " + page + item + run, Optional.of(key(page) + item));
    }

    private static String key(int page) {
        return "k" + page;
    }

    /** What was told of an item last. */
    private record ToldContent(CrawlRun run, int content) {}

    @RepeatedTest(20)
    void itemsOfPagesThatAreVisitedAgainHaveTheirContentUntilAnotherOneHasTheirKey(RepetitionInfo repetition) {
        Random random = new Random(RandomSeed.value() + repetition.getCurrentRepetition());
        Map<String, ToldContent> last = new HashMap<>();
        Map<String, Integer> first = new HashMap<>();
        CrawlRun run = RUN;
        for (int step = 0; step < 200; step++) {
            if (random.nextInt(20) == 0) {
                run = next(run);
            }
            JudgedItem item = visited(random.nextInt(6), random.nextInt(2), run);
            String key = item.key().orElseThrow();
            ToldContent told = new ToldContent(run, random.nextInt(5));
            if (!told.equals(last.put(key, told))) {
                first.remove(key);
                if (!first.containsValue(told.content())) {
                    first.put(key, told.content());
                }
            }
            assertThat(firstItems.learn(run,
                    List.of(new ContentOfItem(
                            Optional.of(Fingerprint.of("c" + told.content())).filter(_ -> told.content() > 0), item))))
                    .as("step %d", step).containsExactly(told.content() == 0 || first.containsKey(key));
            if (told.content() == 0) {
                first.remove(key);
                last.remove(key);
            }
            assertReleased(run, last, Set.copyOf(first.values()));
        }
    }

    /** A refresh takes over what is known, although a process of the run before is late. */
    private CrawlRun next(CrawlRun run) {
        CrawlRun next = new CrawlRun(run.crawl(), run.epoch() + 1);
        firstItems.inherit(run, next);
        firstItems.learn(run, List.of(item("late", "i1")));
        firstItems.inherit(run, next);
        store.ledger().forget(run);
        return next;
    }

    private void assertReleased(CrawlRun run, Map<String, ToldContent> last, Set<Integer> held) {
        List<String> pages = IntStream.range(0, 6).mapToObj(RedisFirstItemsIT::key).toList();
        assertThat(firstItems.released(run, pages.stream().map(page -> new VisitedPage(page, false)).toList()))
                .isEqualTo(pages.stream()
                        .map(page -> last.entrySet().stream().anyMatch(
                                item -> item.getKey().startsWith(page) && !held.contains(item.getValue().content())))
                        .toList());
    }

    @Test
    void anItemIsJudgedOnceInARunThoughAnotherOneHasLeftItsContentSince() {
        ContentOfItem holder = new ContentOfItem(Optional.of(Fingerprint.of("x")), visited(1, 0, RUN));
        ContentOfItem other = new ContentOfItem(Optional.of(Fingerprint.of("x")), visited(2, 0, RUN));
        CrawlRun next = new CrawlRun(RUN.crawl(), RUN.epoch() + 1);
        assertThat(firstItems.learn(RUN, List.of(holder, other))).containsExactly(true, false);
        firstItems.inherit(RUN, next);
        ContentOfItem third = new ContentOfItem(Optional.of(Fingerprint.of("x")), visited(3, 0, next));
        ContentOfItem gone = new ContentOfItem(Optional.empty(), holder.item());
        assertThat(firstItems.learn(next, List.of(third, gone, third))).containsExactly(false, true, false);
        assertThat(firstItems.learn(next, List.of(other))).as("in another run it is judged again")
                .containsExactly(true);
    }

    @Test
    void thePageOfTheFirstItemLeavesItsContentToOthersWhenItIsMissingAndOthersStay() {
        Optional<Fingerprint> content = Optional.of(Fingerprint.of("x"));
        firstItems.learn(RUN,
                IntStream.range(1, 4).mapToObj(page -> new ContentOfItem(content, visited(page, 0, RUN))).toList());
        List<VisitedPage> pages = List.of(new VisitedPage(key(2), true), new VisitedPage(key(3), false));
        assertThat(firstItems.released(RUN, pages)).as("the first one is there").containsExactly(false, false);
        firstItems.released(RUN, List.of(new VisitedPage(key(1), true)));
        assertThat(firstItems.released(RUN, pages)).as("it is missing").containsExactly(true, true);
        assertThat(firstItems.released(RUN, List.of(new VisitedPage(key(1), false)))).as("it was stored")
                .containsExactly(false);
    }

    @Test
    void anItemIsSimilarToNoFormerOneOfItsKeyAndToNoneThatIsGoneOrAnotherOne() {
        List<HashOfItem> items = IntStream.range(0, 3)
                .mapToObj(page -> new HashOfItem(Optional.of(0xf0L + page), visited(page, 0, RUN))).toList();
        SimilarItem toFirst = new SimilarItem(items.getFirst().item().id(), 1);
        assertThat(firstItems.similar(RUN, items)).containsExactly(Optional.empty(), Optional.of(toFirst),
                Optional.of(toFirst));
        CrawlRun next = new CrawlRun(RUN.crawl(), RUN.epoch() + 1);
        firstItems.inherit(RUN, next);
        HashOfItem moved = new HashOfItem(Optional.of(0xff00L), visited(0, 0, next));
        HashOfItem same = new HashOfItem(Optional.of(0xf1L), visited(1, 0, next));
        Optional<SimilarItem> third = Optional.of(new SimilarItem(items.get(2).item().id(), 2));
        assertThat(firstItems.similar(next, List.of(same))).as("not to itself").containsExactly(Optional.of(toFirst));
        HashOfItem later = new HashOfItem(Optional.of(0xf1L), visited(5, 0, next));
        assertThat(firstItems.similar(next, List.of(moved, new HashOfItem(Optional.empty(), same.item()), later)))
                .as("the first one has another text, the second one is gone")
                .containsExactly(Optional.empty(), Optional.empty(), third);
        assertThat(firstItems.similar(next, List.of(later, moved))).as("at a repeat").containsExactly(third,
                Optional.empty());
    }
}
