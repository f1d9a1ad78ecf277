package io.trawl.pipeline;

import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;

/** Drops and fails some of the items of {@link PipelineFixture}, by their numbers. */
final class Sieve implements ItemProcessor {
    static boolean drops(int number) {
        return number % 10 == 4;
    }

    static boolean fails(int number) {
        return number % 20 == 8;
    }

    @Override
    public String name() {
        return "sieve";
    }

    @Override
    public ProcessedItem process(Item item) {
        int number = PipelineFixture.number(item.id());
        if (fails(number)) {
            throw new IllegalStateException("not " + number);
        }
        return drops(number) ? ProcessedItem.drop("ends with 4") : ProcessedItem.keep(item);
    }
}
