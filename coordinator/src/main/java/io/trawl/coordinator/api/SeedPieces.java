package io.trawl.coordinator.api;

import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.seedlist.SeedList;
import io.trawl.coordinator.seedlist.SeedList.ListedSeed;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A list of seeds in pieces, so that any number of them needs little memory. Not thread-safe. */
final class SeedPieces {
    /** What such a body is sent as: JSON Lines, also called NDJSON, lines of URLs, CSV or WARC. */
    static final Set<String> TYPES = Set.of("application/jsonl", "application/x-ndjson", "text/uri-list", "text/csv",
            "application/warc");
    private static final String SEEDS = "seeds[";
    private static final int PIECE = 1000;
    private static final int PIECE_CHARACTERS = 1 << 20;
    private final SeedList list;

    /**
     * Some seeds.
     *
     * @param places where the list has each
     * @param fault what is wrong behind the last of them; the next piece begins behind that
     */
    record Piece(List<Seed> seeds, List<String> places, Optional<Fault> fault) {
        /** Whether nothing follows. */
        boolean last() {
            return seeds.isEmpty() && fault.isEmpty();
        }

        /** The same faults, naming places in the list instead of those in the piece. */
        InvalidDefinitionException named(InvalidDefinitionException faults) {
            return faults.named(f -> f.field().startsWith(SEEDS)
                    ? f.of(places.get(index(f)) + f.field().substring(f.field().indexOf(']') + 1))
                    : f);
        }

        /** How many seeds stand before the first faulty one. */
        int before(InvalidDefinitionException faults) {
            return faults.faults().stream().filter(f -> f.field().startsWith(SEEDS)).mapToInt(Piece::index).min()
                    .orElse(0);
        }

        private static int index(Fault fault) {
            return Integer.parseInt(fault.field().substring(SEEDS.length(), fault.field().indexOf(']')));
        }
    }

    SeedPieces(SeedList list) {
        this.list = list;
    }

    /** The next piece; an empty one at the end. */
    Piece next() throws IOException {
        List<Seed> seeds = new ArrayList<>();
        List<String> places = new ArrayList<>();
        int size = 0;
        try {
            while (seeds.size() < PIECE && size < PIECE_CHARACTERS) {
                Optional<ListedSeed> next = list.next();
                if (next.isEmpty()) {
                    break;
                }
                seeds.add(next.get().seed());
                places.add(next.get().place());
                size += next.get().size();
            }
            return new Piece(seeds, places, Optional.empty());
        } catch (InvalidValueException e) {
            return new Piece(seeds, places, Optional.of(e.fault()));
        }
    }
}
