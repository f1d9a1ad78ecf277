package io.trawl.worker;

import java.util.Optional;

/** Why a module has ended. */
public sealed interface ModuleEnd {
    /** It was stopped. */
    record Stopped() implements ModuleEnd {}

    /** It cannot continue. @param why in one line */
    record CannotContinue(String why) implements ModuleEnd {}

    /**
     * Kafka has other topics, or is another cluster, at the place of those that it began with, so it must write and
     * commit nothing more. A new process begins with what there is now.
     *
     * @param why in one line
     */
    record OtherKafka(String why) implements ModuleEnd {}

    /**
     * It has to begin as if it had just been started, since it knows too much. Nothing is finished or committed.
     *
     * @param why in one line
     */
    record StartAgain(String why) implements ModuleEnd {}

    /** What is wrong; empty if it was stopped. */
    default Optional<String> trouble() {
        return switch (this) {
            case Stopped _ -> Optional.empty();
            case CannotContinue(String why) -> Optional.of(why);
            case OtherKafka(String why) -> Optional.of(why);
            case StartAgain(String why) -> Optional.of(why);
        };
    }
}
