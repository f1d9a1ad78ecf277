package io.trawl.pipeline.process;

import io.trawl.model.Item;
import java.util.List;

/** What the whole chain made of an item, with the failures on the way: each is to be reported once, whatever became of the item. */
public sealed interface ChainOutcome {
    /** The failures on the way, in order. */
    List<Failure> failures();

    /** The item is to be stored. */
    record Passed(Item item, List<Failure> failures) implements ChainOutcome {
        /** Copies the failures. */
        public Passed {
            failures = List.copyOf(failures);
        }
    }

    /** A processor dropped the item on purpose. */
    record Dropped(String processor, String reason, List<Failure> failures) implements ChainOutcome {
        /** Copies the failures. */
        public Dropped {
            failures = List.copyOf(failures);
        }
    }

    /** A processor failed and the crawl is fail-fast: the item is not stored. */
    record Rejected(Failure failure) implements ChainOutcome {
        @Override
        public List<Failure> failures() {
            return List.of(failure);
        }
    }

    /**
     * A processor failed on an item.
     *
     * @param processor its name
     * @param cause in words for people
     */
    record Failure(String processor, String cause) {
        /** For people. */
        public String explanation() {
            return "item processor " + processor + ": " + cause;
        }
    }
}
