package io.trawl.pipeline.process;

import io.trawl.api.Item;
import io.trawl.ledger.Fingerprint;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of the chain for an item, with the failures of its processors. Each failure is reported once, with any
 * outcome.
 */
public sealed interface ChainOutcome {
    /** The failures of processors, in order. */
    List<ProcessorFailure> failures();

    /**
     * The item passed the chain and will be stored.
     *
     * @param unique its content, if only the first item of the run with this content is stored
     */
    record PassedItem(Item item, Optional<UniqueContent> unique,
            List<ProcessorFailure> failures) implements ChainOutcome {
        /** Copies the failures. */
        public PassedItem {
            failures = List.copyOf(failures);
        }

        /** An item that is stored, whatever others there are. */
        public PassedItem(Item item, List<ProcessorFailure> failures) {
            this(item, Optional.empty(), failures);
        }

        /** The outcome when another item has the content. */
        public ChainOutcome repeated() {
            return new DroppedItem(ProcessorChain.UNIQUE, unique.map(UniqueContent::reason).orElse(""), failures);
        }
    }

    /** The content of an item. @param reason of the others to be dropped */
    record UniqueContent(Fingerprint content, String reason) {}

    /** A processor dropped the item intentionally. */
    record DroppedItem(String processor, String reason, List<ProcessorFailure> failures) implements ChainOutcome {
        /** Copies the failures. */
        public DroppedItem {
            failures = List.copyOf(failures);
        }
    }

    /** A processor failed and the crawl is fail-fast: the item is not stored. */
    record RejectedItem(ProcessorFailure failure) implements ChainOutcome {
        @Override
        public List<ProcessorFailure> failures() {
            return List.of(failure);
        }
    }

    /**
     * A processor failed on an item.
     *
     * @param processor its name
     * @param kind one of few words, by which failures are counted
     * @param cause in words for people
     */
    record ProcessorFailure(String processor, String kind, String cause) {
        /** The failure in words, for people. */
        public String explanation() {
            return "item processor " + processor + ": " + cause;
        }
    }
}
