package io.trawl.pipeline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits;
import io.trawl.definition.CrawlDefinition;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.FirstItemStore;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.pipeline.process.ChainOutcome.DroppedItem;
import io.trawl.pipeline.process.ChainOutcome.PassedItem;
import io.trawl.pipeline.process.ChainOutcome.UniqueContent;
import io.trawl.pipeline.sink.ItemOutputs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What pipelines tell of items that others are compared with. */
class ReplacedItemsTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/2");
    private static final String TEXT = IntStream.range(0, 30).mapToObj(i -> "word" + i)
            .collect(Collectors.joining(" "));
    private final List<String> learnt = new ArrayList<>();

    private static CrawlSinks sinks(boolean visited) {
        CrawlDefinition definition = Json
                .read("{\"process\":{\"processors\":[{\"similar\":\"text\"},{\"unique\":[\"text\"]}]}}"
                        .getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
        return new CrawlSinks.Cache().of(CrawlStatus.of(RUN, 1, definition, CrawlState.STARTED)
                .withVisits(Optional.of(new RunVisits(0, Optional.empty(), Optional.empty())).filter(_ -> visited)));
    }

    private static Item item(String name, ItemKind kind, Map<String, Object> fields) {
        return new Item("id of " + name, name, RUN.toString(), kind, "http://h/" + name, fields);
    }

    private static HandledRecord passed(Item item) {
        Optional<UniqueContent> content = Optional.ofNullable(item.fields().get("text"))
                .map(text -> new UniqueContent(Fingerprint.of(text.toString()), "text"));
        return chained(item, new PassedItem(item, content, List.of()));
    }

    private static HandledRecord chained(Item item, ChainOutcome outcome) {
        return new HandledRecord.ChainedItem(new ConsumerRecord<>("items", 0, 0, new byte[0], new byte[0]), RUN, item,
                outcome, ItemOutputs.NONE);
    }

    private List<HandledRecord> compared(CrawlSinks sinks) {
        List<HandledRecord> handled = List.of(passed(item("page", ItemKind.PAGE, Map.of("text", TEXT))),
                passed(item("empty", ItemKind.PAGE, Map.of())),
                chained(item("dropped", ItemKind.PAGE, Map.of("text", TEXT)),
                        new DroppedItem("require", "false", List.of())),
                passed(item("gone", ItemKind.ERROR, Map.of("change", "gone"))),
                passed(item("failed", ItemKind.ERROR, Map.of("reason", "TIMEOUT"))));
        return new SimilarityMarks(new Recording())
                .marked(new UniqueItems(new Recording()).decided(handled, _ -> sinks), _ -> sinks);
    }

    @Test
    void ofPagesThatAreVisitedAgainEachItemAndWhatIsGoneEndsWhatWasKnownOfItsKey() {
        assertThat(compared(sinks(true))).hasSize(5);
        assertThat(learnt).containsExactly("content page", "none empty", "none dropped", "none gone", "hash page",
                "none empty", "none dropped", "none gone");
    }

    @Test
    void ofOtherPagesOnlyItemsWithAContentAreLearntByTheirIds() {
        assertThat(compared(sinks(false))).hasSize(5);
        assertThat(learnt).containsExactly("content id of page", "hash id of page");
    }

    private final class Recording implements FirstItemStore {
        @Override
        public List<Boolean> learn(CrawlRun run, List<ContentOfItem> items) {
            items.forEach(one -> add(one.content().map(_ -> "content"), one.item()));
            return Collections.nCopies(items.size(), true);
        }

        @Override
        public List<Optional<SimilarItem>> similar(CrawlRun run, List<HashOfItem> items) {
            items.forEach(one -> add(one.hash().map(_ -> "hash"), one.item()));
            return Collections.nCopies(items.size(), Optional.empty());
        }

        private void add(Optional<String> kind, JudgedItem item) {
            learnt.add(kind.orElse("none") + " " + item.key().orElse(item.id()));
        }

        @Override
        public void inherit(CrawlRun from, CrawlRun to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Boolean> released(CrawlRun run, List<VisitedPage> pages) {
            throw new UnsupportedOperationException();
        }
    }
}
