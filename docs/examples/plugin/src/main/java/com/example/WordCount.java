package com.example;

import io.trawl.api.*;

public class WordCount implements ItemProcessor {
    public String name() { return "word-count"; }

    public ProcessedItem process(Item item) {
        return ProcessedItem.keep(item.fields().get("text") instanceof String text
                ? item.with("words", text.split("\\s+").length)
                : item);
    }
}
