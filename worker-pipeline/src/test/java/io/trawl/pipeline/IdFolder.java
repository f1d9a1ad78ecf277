package io.trawl.pipeline;

import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A sink that keeps an empty file for each item, named by its id, in the folder of its settings. It fails while there
 * is a file {@link #DOWN}.
 */
public final class IdFolder implements Sink {
    static final String DOWN = "down";

    @Override
    public String type() {
        return "test.ids";
    }

    @Override
    public void store(SinkBatch batch) throws IOException {
        Path folder = Files.createDirectories(Path.of(String.valueOf(batch.settings().get("folder"))));
        for (SinkBatch.PlacedItem item : batch.items()) {
            if (Files.exists(folder.resolve(DOWN))) {
                throw new IOException("the folder of ids is away");
            }
            try {
                Files.createFile(folder.resolve(item.item().id()));
            } catch (FileAlreadyExistsException e) {
                // It was given before.
            }
        }
    }
}
