package io.trawl.pipeline.process;

import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.definition.CrawlDefinition.ProcessRules;
import io.trawl.direct.ProcessCall.ProcessAnswer;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.process.ChainOutcome.ProcessorFailure;
import io.trawl.pipeline.process.ChainOutcome.UniqueContent;
import io.trawl.plugin.Plugins;
import io.trawl.process.ProcessorStep;
import io.trawl.process.builtin.BuiltInProcessors;
import io.trawl.process.builtin.ItemContent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The item processors: those of plug-ins in their order, or the steps of a crawl in the order of its file. With
 * {@code failFast} the first failure ends the chain and the item is not stored; without it the chain continues with the
 * item as it was before the failed processor. Thread-safe if the processors are.
 */
public final class ProcessorChain {
    /** The step that drops items with a content that another item has. */
    static final String UNIQUE = "unique";
    private static final int MOST_PREPARED = 1_000;
    private final List<ItemProcessor> processors;
    private final Map<List<ProcessorStep>, RunnableSteps> prepared = new ConcurrentHashMap<>();

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
     * Passes an item through the steps of the crawl in their order, or through all processors of the plug-ins if it has
     * none; a name that no processor has is a failure. A processor's exceptions and errors, stack overflows included,
     * become failures.
     *
     * @throws InterruptedException if the thread was interrupted while a processor waited: the item is not processed
     */
    public ChainOutcome process(Item item, ProcessRules rules) throws InterruptedException {
        RunnableSteps steps = steps(rules);
        Item current = item;
        List<ProcessorFailure> processorFailures = new ArrayList<>();
        for (ItemProcessor processor : steps.processors()) {
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
        return passed(current, steps, processorFailures, rules.failFast());
    }

    /** What becomes of items that are only tried. Whether another item has the same content is not known. */
    public ProcessAnswer tried(List<Item> items, ProcessRules rules) throws InterruptedException {
        List<Item> passed = new ArrayList<>();
        List<String> dropped = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (Item item : items) {
            ChainOutcome outcome = process(item, rules);
            outcome.failures().forEach(failure -> errors.add(failure.explanation()));
            switch (outcome) {
                case ChainOutcome.PassedItem kept -> passed.add(kept.item());
                case ChainOutcome.DroppedItem(String processor, String reason, var _) ->
                    dropped.add(processor + ": " + reason);
                case ChainOutcome.RejectedItem(var failure) ->
                    dropped.add(failure.processor() + " has failed, and failFast is on");
            }
        }
        return new ProcessAnswer(passed, dropped, errors);
    }

    private static ChainOutcome passed(Item item, RunnableSteps steps, List<ProcessorFailure> failures,
            boolean failFast) {
        try {
            return new ChainOutcome.PassedItem(item, steps.content().flatMap(
                    content -> content.of(item).map(fingerprint -> new UniqueContent(fingerprint, content.reason()))),
                    failures);
        } catch (IllegalStateException | StackOverflowError e) {
            ProcessorFailure failure = new ProcessorFailure(UNIQUE, "NO_JSON", explain(e));
            failures.add(failure);
            return failFast ? new ChainOutcome.RejectedItem(failure) : new ChainOutcome.PassedItem(item, failures);
        }
    }

    /** What runs for a crawl. @param content which items are one, decided when the others are done */
    private record RunnableSteps(List<ItemProcessor> processors, Optional<ItemContent> content) {}

    private RunnableSteps steps(ProcessRules rules) {
        if (rules.processors().isEmpty()) {
            return new RunnableSteps(processors, Optional.empty());
        }
        if (prepared.size() > MOST_PREPARED) {
            prepared.clear();
        }
        return prepared.computeIfAbsent(rules.processors(), this::prepare);
    }

    /** The coordinator has checked the steps; at one of another program that cannot be read each item fails. */
    private RunnableSteps prepare(List<ProcessorStep> steps) {
        List<ItemProcessor> runnable = new ArrayList<>();
        Optional<ItemContent> content = Optional.empty();
        for (ProcessorStep step : steps) {
            try {
                BuiltInProcessors.of(step).or(() -> step.name().map(this::named)).ifPresent(runnable::add);
                content = BuiltInProcessors.content(step);
            } catch (InvalidValueException e) {
                runnable.add(new MissingProcessor(e.field(), e.getMessage()));
            }
        }
        return new RunnableSteps(List.copyOf(runnable), content);
    }

    private ItemProcessor named(String name) {
        return processors.stream().filter(processor -> processor.name().equals(name)).findFirst()
                .orElseGet(() -> new MissingProcessor(name,
                        "there is no such processor; available: " + String.join(", ", names())));
    }

    /** Stands for a processor that this process does not have. */
    private record MissingProcessor(String name, String cause) implements ItemProcessor {
        @Override
        public ProcessedItem process(Item item) {
            throw new IllegalStateException(cause);
        }
    }

    private static Step apply(ItemProcessor processor, Item item) throws InterruptedException {
        if (processor instanceof MissingProcessor(String name, String cause)) {
            return new Step.StepFailed(new ProcessorFailure(name, "UNKNOWN_PROCESSOR", cause));
        }
        try {
            ProcessedItem result = processor.process(item);
            return invalid(item, result)
                    ? new Step.StepFailed(new ProcessorFailure(processor.name(), "INVALID_ITEM",
                            "must return an item with the same id, key, run and kind, or drop it"))
                    : new Step.StepDone(result);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return new Step.StepFailed(
                    new ProcessorFailure(processor.name(), e.getClass().getSimpleName(), explain(e)));
        }
    }

    /**
     * A plug-in may be compiled without null checks, and an item with another id or run would be stored twice or in
     * another crawl's folder.
     */
    private static boolean invalid(Item item, ProcessedItem result) {
        if (result instanceof ProcessedItem.Kept(Item next)) {
            return next == null || !item.id().equals(next.id()) || !item.key().equals(next.key())
                    || !item.run().equals(next.run()) || item.kind() != next.kind();
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
