package com.example;

import io.trawl.api.*;
import java.nio.file.*;

public class IdFolder implements Sink {
    public String type() { return "example.ids"; }

    public void store(SinkBatch batch) throws Exception {
        Path folder = Files.createDirectories(Path.of((String) batch.settings().get("folder")));
        for (SinkBatch.PlacedItem item : batch.items()) {
            Files.writeString(folder.resolve(item.item().id()), item.item().url());
        }
    }
}
