package io.trawl.pipeline.process;

import io.trawl.model.Item;
import java.util.LinkedHashMap;
import java.util.Map;

/** An example of a processor: adds the number of words of the text. */
public final class WordCount implements ItemProcessor {
    @Override
    public String name() {
        return "word-count";
    }

    @Override
    public ProcessedItem process(Item item) {
        if (!(item.fields().get("text") instanceof String text)) {
            return ProcessedItem.keep(item);
        }
        Map<String, Object> fields = new LinkedHashMap<>(item.fields());
        fields.put("words", text.isBlank() ? 0 : text.strip().split("\\s+").length);
        return ProcessedItem.keep(new Item(item.id(), item.run(), item.kind(), item.url(), fields));
    }
}
