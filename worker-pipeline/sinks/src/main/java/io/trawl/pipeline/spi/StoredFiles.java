package io.trawl.pipeline.spi;

import io.trawl.api.ItemKind;
import io.trawl.model.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** The finished files of one sink and run, wherever they are. */
public interface StoredFiles {
    /** The names behind a name, sorted; perhaps not all, but none only if there is none. */
    List<String> names(String after) throws IOException, InterruptedException;

    /**
     * The bytes of a file.
     *
     * @return empty if it is not there any more
     * @throws InvalidValueException if no file of this sink can have that name
     */
    Optional<InputStream> open(String name) throws IOException, InterruptedException;

    /** Whether an item of a file belongs to the run and is of one of these kinds. @param item one JSON object */
    boolean has(byte[] item, Iterable<ItemKind> kinds);
}
