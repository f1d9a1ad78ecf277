package io.trawl.pipeline.process;

import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;

/** An example of a processor: adds the number of words of the text. */
public final class WordCount implements ItemProcessor {
    @Override
    public String name() {
        return "word-count";
    }

    @Override
    public ProcessedItem process(Item item) {
        return ProcessedItem.keep(item.fields().get("text") instanceof String text
                ? item.with("words", text.isBlank() ? 0 : text.strip().split("\\s+").length)
                : item);
    }
}
