package io.trawl.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition.ProcessRules;
import io.trawl.pipeline.process.ChainOutcome.DroppedItem;
import io.trawl.pipeline.process.ChainOutcome.PassedItem;
import io.trawl.pipeline.process.ChainOutcome.ProcessorFailure;
import io.trawl.pipeline.process.ChainOutcome.RejectedItem;
import io.trawl.plugin.Plugins;
import io.trawl.process.ProcessorStep;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessorChainTest {
    private static final Item ITEM = new Item("i1", "ki1", "docs/1", ItemKind.PAGE, "http://h/", Map.of("title", "t"));

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
                item -> ProcessedItem.keep(item.with("trace", item.fields().getOrDefault("trace", "") + name)));
    }

    private static ChainOutcome run(boolean failFast, ItemProcessor... processors) throws InterruptedException {
        return new ProcessorChain(List.of(processors)).process(ITEM, ProcessRules.DEFAULT.withFailFast(failFast));
    }

    @Test
    void anEmptyChainReturnsTheItemUnchanged() throws Exception {
        assertThat(run(true)).isEqualTo(new PassedItem(ITEM, List.of()));
    }

    @Test
    void processorsRunInTheirOrderAndThenByName() throws Exception {
        assertThat(run(true, adding("c", 2), adding("b", 1), adding("a", 2)))
                .isEqualTo(new PassedItem(ITEM.with("trace", "bac"), List.of()));
    }

    @Test
    void aCrawlNamesItsProcessorsAndOneThatThereIsNotFailsTheItem() throws Exception {
        ProcessorChain chain = new ProcessorChain(List.of(adding("c", 0), adding("b", 0), adding("a", 0)));
        ProcessRules rules = ProcessRules.DEFAULT.withProcessors(Stream.of("c", "a").map(ProcessorStep::of).toList());
        assertThat(chain.process(ITEM, rules)).isEqualTo(new PassedItem(ITEM.with("trace", "ca"), List.of()));
        ProcessRules unknown = ProcessRules.DEFAULT
                .withProcessors(Stream.of("a", "none").map(ProcessorStep::of).toList());
        ProcessorFailure failure = new ProcessorFailure("none", "UNKNOWN_PROCESSOR",
                "there is no such processor; available: a, b, c");
        assertThat(chain.process(ITEM, unknown)).isEqualTo(new RejectedItem(failure));
        assertThat(chain.process(ITEM, unknown.withFailFast(false)))
                .isEqualTo(new PassedItem(ITEM.with("trace", "a"), List.of(failure)));
    }

    private static ProcessorStep step(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), ProcessorStep.class);
    }

    @Test
    void theStepsOfTheFileRunInTheirOrderBesideProcessorsOfPlugIns() throws Exception {
        ProcessorChain chain = new ProcessorChain(List.of(adding("a", 0)));
        ProcessRules rules = ProcessRules.DEFAULT.withProcessors(
                List.of(step("{\"set\":{\"trace\":\"x\"}}"), step("\"a\""), step("{\"rename\":{\"trace\":\"path\"}}")));
        assertThat(chain.process(ITEM, rules)).isEqualTo(new PassedItem(ITEM.with("path", "xa"), List.of()));
        ProcessRules dropping = rules
                .withProcessors(List.of(step("\"a\""), step("{\"require\":\"item.trace == 'b'\"}")));
        assertThat(chain.process(ITEM, dropping)).isEqualTo(new DroppedItem("require", "item.trace == 'b'", List.of()));
    }

    @Test
    void aFailingStepOfTheFileIsLikeThatOfAPlugIn() throws Exception {
        ProcessRules rules = ProcessRules.DEFAULT
                .withProcessors(List.of(step("{\"number\":{\"field\":\"title\"}}"), step("{\"set\":{\"x\":1}}")));
        ProcessorFailure failure = new ProcessorFailure("number", "InvalidValueException",
                "InvalidValueException: title: 't' is not valid: a number as written in the locale en");
        ProcessorChain chain = new ProcessorChain(List.of());
        assertThat(chain.process(ITEM, rules)).isEqualTo(new RejectedItem(failure));
        assertThat(chain.process(ITEM, rules.withFailFast(false)))
                .isEqualTo(new PassedItem(ITEM.with("x", 1), List.of(failure)));
    }

    @Test
    void theContentOfAnItemIsThatBehindTheOtherSteps() throws Exception {
        ProcessRules rules = ProcessRules.DEFAULT
                .withProcessors(List.of(step("{\"set\":{\"title\":\"same\"}}"), step("{\"unique\":[\"title\"]}")));
        ProcessorChain chain = new ProcessorChain(List.of());
        PassedItem one = (PassedItem) chain.process(ITEM, rules);
        PassedItem other = (PassedItem) chain.process(ITEM.with("title", "another"), rules);
        assertThat(one.unique()).isPresent().isEqualTo(other.unique());
        assertThat(other.repeated()).isEqualTo(new DroppedItem("unique", "title", List.of()));
    }

    @Test
    void withFailFastTheFirstFailureEndsTheChain() throws Exception {
        assertThat(run(true, processor("bad", 1, item -> {
            throw new IllegalStateException("no database");
        }), adding("never", 2))).isEqualTo(new RejectedItem(
                new ProcessorFailure("bad", "IllegalStateException", "IllegalStateException: no database")));
    }

    @Test
    void withoutFailFastTheChainContinuesWithTheItemAsItWasAndReportsEveryFailure() throws Exception {
        ChainOutcome outcome = run(false, adding("a", 1), processor("bad", 2, item -> {
            throw new java.io.IOException("x");
        }), processor("worse", 3, item -> {
            throw new StackOverflowError();
        }), adding("d", 4));
        assertThat(outcome).isEqualTo(new PassedItem(ITEM.with("trace", "ad"),
                List.of(new ProcessorFailure("bad", "IOException", "IOException: x"),
                        new ProcessorFailure("worse", "StackOverflowError", "StackOverflowError"))));
    }

    @Test
    void droppingAnItemIsNotAFailure() throws Exception {
        assertThat(run(true, processor("filter", 0, item -> ProcessedItem.drop("too short")), adding("never", 1)))
                .isEqualTo(new DroppedItem("filter", "too short", List.of()));
    }

    @Test
    void changingTheIdentityOfAnItemIsAFailure() throws Exception {
        assertThat(run(true,
                processor("renamer", 0,
                        item -> ProcessedItem
                                .keep(new Item("i2", item.key(), item.run(), item.kind(), item.url(), item.fields())))))
                .isInstanceOf(RejectedItem.class);
    }

    @Test
    void anInterruptIsNotAFailure() {
        assertThatThrownBy(() -> run(false, processor("slow", 0, item -> {
            throw new InterruptedException();
        }))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void processorsAreFoundOnTheClassPath() {
        assertThat(ProcessorChain.among(Plugins.in(Optional.empty())).names()).containsExactly("word-count");
    }
}
