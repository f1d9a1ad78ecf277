package io.trawl.bench.plugin;

import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;

/** Waits {@link PluginDelays#ITEM} for each item. */
public final class WaitingProcessor implements ItemProcessor {
    private final PluginDelays pluginDelays = PluginDelays.of(PluginDelays.ITEM);

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public ProcessedItem process(Item item) throws InterruptedException {
        pluginDelays.pass();
        return ProcessedItem.keep(item);
    }
}
