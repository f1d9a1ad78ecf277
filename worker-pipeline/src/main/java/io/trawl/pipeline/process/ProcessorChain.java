package io.trawl.pipeline.process;

import io.trawl.model.Item;
import io.trawl.pipeline.process.ChainOutcome.Failure;
import io.trawl.plugin.Plugins;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The item processors in their order. With {@code failFast} the first failure ends the chain and the item is not stored; without it the item goes on
 * as it was before the processor that failed. As thread-safe as its processors.
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
     * The chain of all processors of the plugins.
     *
     * @throws io.trawl.model.InvalidValue if one is named there that cannot be made
     */
    public static ProcessorChain among(Plugins plugins) {
        return new ProcessorChain(plugins.of(ItemProcessor.class));
    }

    /** The names of the processors, in their order. */
    public List<String> names() {
        return processors.stream().map(ItemProcessor::name).toList();
    }

    /**
     * Leads an item through the chain. Never throws for what a processor does, be it an overflow of the stack.
     *
     * @throws InterruptedException if the thread was interrupted while a processor waited: the item counts as not processed
     */
    public ChainOutcome process(Item item, boolean failFast) throws InterruptedException {
        Item present = item;
        List<Failure> failures = new ArrayList<>();
        for (ItemProcessor processor : processors) {
            switch (apply(processor, present)) {
                case Step.Done(ProcessedItem.Kept(Item next)) -> present = next;
                case Step.Done(ProcessedItem.Dropped(String reason)) -> {
                    return new ChainOutcome.Dropped(processor.name(), reason, failures);
                }
                case Step.Failed(Failure failure) -> {
                    if (failFast) {
                        return new ChainOutcome.Rejected(failure);
                    }
                    failures.add(failure);
                }
            }
        }
        return new ChainOutcome.Passed(present, failures);
    }

    private static Step apply(ItemProcessor processor, Item item) throws InterruptedException {
        try {
            ProcessedItem result = processor.process(item);
            return broken(item, result)
                    ? new Step.Failed(
                            new Failure(processor.name(), "must return an item with the same id, run and kind, or drop it"))
                    : new Step.Done(result);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return new Step.Failed(new Failure(processor.name(), explain(e)));
        }
    }

    /** A plug-in may be compiled without null checks, and an item that changed its name would be stored twice or in another crawl's folder. */
    private static boolean broken(Item item, ProcessedItem result) {
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
        record Done(ProcessedItem result) implements Step {}

        record Failed(Failure failure) implements Step {}
    }
}
