package io.trawl.coordinator.api;

import io.trawl.coordinator.api.SeedPieces.Piece;
import io.trawl.coordinator.seedlist.SeedList;
import io.trawl.model.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;

/** Lines of seeds: each is a seed, or a mistake that is named. */
public final class SeedsFuzz {
    private SeedsFuzz() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        SeedPieces pieces;
        try {
            pieces = new SeedPieces(SeedList.of(new ByteArrayInputStream(input), Optional.empty()));
        } catch (InvalidValueException e) {
            return;
        }
        for (Piece piece = pieces.next(); !piece.last(); piece = pieces.next()) {
            if (piece.fault().filter(fault -> fault.text().isBlank()).isPresent()) {
                throw new AssertionError("a mistake without a message");
            }
        }
    }
}
