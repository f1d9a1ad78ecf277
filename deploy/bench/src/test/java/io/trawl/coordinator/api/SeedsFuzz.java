package io.trawl.coordinator.api;

import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Lines of seeds: each is a seed, or a mistake that is named. */
public final class SeedsFuzz {
    private SeedsFuzz() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        SeedLines lines = new SeedLines(new ByteArrayInputStream(input));
        try {
            while (!lines.next().seeds().isEmpty()) {
                // the next piece
            }
        } catch (MalformedRecordException | InvalidDefinitionException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("a mistake without a message", e);
            }
        }
    }
}
