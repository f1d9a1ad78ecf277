package io.trawl.pipeline.process;

import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.control.CrawlDefinition.ProcessRules;
import io.trawl.pipeline.process.ChainOutcome.ProcessorFailure;
import io.trawl.plugin.Plugins;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The item processors in their order. With {@code failFast} the first failure ends the chain and the item is not
 * stored; without it the chain continues with the item as it was before the failed processor. Thread-safe if the
 * processors are.
 */
public final class ProcessorChain {
    private final List<ItemProcessor> processors;

    /** @param processors in any order */
    public ProcessorChain(Collection<? extends ItemProcessor> processors) {
        this.processors = processors.stream()
                .sorted(Comparator.comparingInt(ItemProcessor::order).thenComparing(ItemProcessor::name))
                .map(ItemProcessor.class::cast).toList();
    }

    /**
     * The chain of all processors of the plug-ins.
     *
     * @throws io.trawl.model.InvalidValueException if a listed processor cannot be instantiated
     */
    public static ProcessorChain among(Plugins plugins) {
        return new ProcessorChain(plugins.of(ItemProcessor.class));
    }

    /** The names of the processors, in their order. */
    public List<String> names() {
        return processors.stream().map(ItemProcessor::name).toList();
    }

    /**
     * Passes an item through the chain, or the processors of it that the crawl names; a name that no processor has is a
     * failure. A processor's exceptions and errors, stack overflows included, become failures.
     *
     * @throws InterruptedException if the thread was interrupted while a processor waited: the item is not processed
     */
    public ChainOutcome process(Item item, ProcessRules rules) throws InterruptedException {
        Item current = item;
        List<ProcessorFailure> processorFailures = new ArrayList<>(unknown(rules.processors()));
        if (rules.failFast() && !processorFailures.isEmpty()) {
            return new ChainOutcome.RejectedItem(processorFailures.getFirst());
        }
        for (ItemProcessor processor : among(rules.processors())) {
            switch (apply(processor, current)) {
                case Step.StepDone(ProcessedItem.Kept(Item next)) -> current = next;
                case Step.StepDone(ProcessedItem.Dropped(String reason)) -> {
                    return new ChainOutcome.DroppedItem(processor.name(), reason, processorFailures);
                }
                case Step.StepFailed(ProcessorFailure processorFailure) -> {
                    if (rules.failFast()) {
                        return new ChainOutcome.RejectedItem(processorFailure);
                    }
                    processorFailures.add(processorFailure);
                }
            }
        }
        return new ChainOutcome.PassedItem(current, processorFailures);
    }

    private List<ItemProcessor> among(List<String> names) {
        return names.isEmpty() ? processors : processors.stream().filter(processor -> names.contains(processor.name())).toList();
    }

    private List<ProcessorFailure> unknown(List<String> names) {
        return names.stream().filter(name -> processors.stream().noneMatch(processor -> processor.name().equals(name)))
                .map(name -> new ProcessorFailure(name, "UNKNOWN_PROCESSOR",
                        "there is no such processor; available: " + String.join(", ", names())))
                .toList();
    }

    private static Step apply(ItemProcessor processor, Item item) throws InterruptedException {
        try {
            ProcessedItem result = processor.process(item);
            return invalid(item, result)
                    ? new Step.StepFailed(
                            new ProcessorFailure(processor.name(), "INVALID_ITEM",
                                    "must return an item with the same id, run and kind, or drop it"))
                    : new Step.StepDone(result);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return new Step.StepFailed(new ProcessorFailure(processor.name(), e.getClass().getSimpleName(), explain(e)));
        }
    }

    /** A plug-in may be compiled without null checks, and an item with another id or run would be stored twice or in another crawl's folder. */
    private static boolean invalid(Item item, ProcessedItem result) {
        if (result instanceof ProcessedItem.Kept(Item next)) {
            return next == null || !item.id().equals(next.id()) || !item.run().equals(next.run()) || item.kind() != next.kind();
        }
        return result == null;
    }

    private static String explain(Throwable e) {
        String message = e.getMessage();
        return message == null || message.isBlank()
                ? e.getClass().getSimpleName()
                : e.getClass().getSimpleName() + ": " + message;
    }

    private sealed interface Step {
        record StepDone(ProcessedItem result) implements Step {}

        record StepFailed(ProcessorFailure failure) implements Step {}
    }
}
