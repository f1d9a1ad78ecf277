package io.trawl.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.CrawlRun;
import io.trawl.model.Item;
import io.trawl.plugin.Plugins;
import io.trawl.model.ItemKind;
import io.trawl.pipeline.process.ChainOutcome.Dropped;
import io.trawl.pipeline.process.ChainOutcome.Failure;
import io.trawl.pipeline.process.ChainOutcome.Passed;
import io.trawl.pipeline.process.ChainOutcome.Rejected;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessorChainTest {
    private static final Item ITEM = new Item("i1", CrawlRun.parse("docs/1"), ItemKind.PAGE, "http://h/", Map.of("title", "t"));

    private interface Step {
        ProcessedItem process(Item item) throws Exception;
    }

    private static ItemProcessor processor(String name, int order, Step step) {
        return new ItemProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public int order() {
                return order;
            }

            @Override
            public ProcessedItem process(Item item) throws Exception {
                return step.process(item);
            }
        };
    }

    private static ItemProcessor adding(String name, int order) {
        return processor(name, order,
                item -> ProcessedItem.keep(with(item, "trace", item.fields().getOrDefault("trace", "") + name)));
    }

    private static Item with(Item item, String field, Object value) {
        Map<String, Object> fields = new LinkedHashMap<>(item.fields());
        fields.put(field, value);
        return new Item(item.id(), item.run(), item.kind(), item.url(), fields);
    }

    private static ChainOutcome run(boolean failFast, ItemProcessor... processors) throws InterruptedException {
        return new ProcessorChain(List.of(processors)).process(ITEM, failFast);
    }

    @Test
    void anEmptyChainPassesTheItemOn() throws Exception {
        assertThat(run(true)).isEqualTo(new Passed(ITEM, List.of()));
    }

    @Test
    void processorsRunInTheirOrderAndThenByName() throws Exception {
        assertThat(run(true, adding("c", 2), adding("b", 1), adding("a", 2)))
                .isEqualTo(new Passed(with(ITEM, "trace", "bac"), List.of()));
    }

    @Test
    void withFailFastTheFirstFailureEndsTheChain() throws Exception {
        assertThat(run(true, processor("bad", 1, item -> {
            throw new IllegalStateException("no database");
        }), adding("never", 2))).isEqualTo(new Rejected(new Failure("bad", "IllegalStateException: no database")));
    }

    @Test
    void withoutFailFastTheItemGoesOnAsItWasAndEveryFailureIsTold() throws Exception {
        ChainOutcome outcome = run(false, adding("a", 1), processor("bad", 2, item -> {
            throw new java.io.IOException("x");
        }), processor("worse", 3, item -> {
            throw new StackOverflowError();
        }), adding("d", 4));
        assertThat(outcome).isEqualTo(
                new Passed(with(ITEM, "trace", "ad"),
                        List.of(new Failure("bad", "IOException: x"), new Failure("worse", "StackOverflowError"))));
    }

    @Test
    void aProcessorMayDropAnItemAndThatIsNoFailure() throws Exception {
        assertThat(run(true, processor("filter", 0, item -> ProcessedItem.drop("too short")), adding("never", 1)))
                .isEqualTo(new Dropped("filter", "too short", List.of()));
    }

    @Test
    void anItemThatChangesItsNameIsAFailure() throws Exception {
        assertThat(run(true,
                processor("renamer", 0,
                        item -> ProcessedItem.keep(new Item("i2", item.run(), item.kind(), item.url(), item.fields())))))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void anInterruptIsNotTakenForAFailure() {
        assertThatThrownBy(() -> run(false, processor("slow", 0, item -> {
            throw new InterruptedException();
        }))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void processorsAreFoundOnTheClassPath() {
        assertThat(ProcessorChain.among(Plugins.in(Optional.empty())).names()).containsExactly("word-count");
    }
}
