package io.trawl.bench.plugin;

import io.trawl.model.Item;
import io.trawl.pipeline.process.ItemProcessor;
import io.trawl.pipeline.process.ProcessedItem;

/** Waits for {@link Waiting#ITEM} over each item. */
public final class WaitingProcessor implements ItemProcessor {
    private final Waiting waiting = Waiting.of(Waiting.ITEM);

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public ProcessedItem process(Item item) throws InterruptedException {
        waiting.pass();
        return ProcessedItem.keep(item);
    }
}
