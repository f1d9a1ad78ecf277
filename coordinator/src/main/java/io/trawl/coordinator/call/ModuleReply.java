package io.trawl.coordinator.call;

import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.MID;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What came of a {@link ModuleQuestion}. */
public sealed interface ModuleReply<A> {
    /** The answer, if there is one. */
    default Optional<A> answer() {
        return this instanceof AnswerOf<A>(_, A value) ? Optional.of(value) : Optional.empty();
    }

    /** No module is the one that is asked. @param registered the number of modules of its kind */
    record NoModule<A>(int registered) implements ModuleReply<A> {}

    /** What came of the call of one module. */
    sealed interface CallReply<A> extends ModuleReply<A> {
        /** Why there is no answer, as text; empty if there is one. */
        default Optional<String> failure() {
            return switch (this) {
                case AnswerOf<A> _ -> Optional.empty();
                case RefusalOf<A>(MID by, _, String detail, _, _) -> Optional.of(by + ": " + detail);
                case SilenceOf<A>(MID by, String why) -> Optional.of(by + ": " + why);
            };
        }
    }

    /** The module has answered. */
    record AnswerOf<A>(MID by, A value) implements CallReply<A> {}

    /**
     * The module has answered with an error.
     *
     * @param detail as text
     * @param faults what is wrong with the question, if that was it
     * @param pause the time after which to retry, if given
     */
    record RefusalOf<A>(MID by, int status, String detail, List<Fault> faults,
            Optional<Duration> pause) implements CallReply<A> {
        /**
         * Whether every other module would refuse the question, too: it breaks a rule, or what it names is not there.
         * Other refusals depend on the module: its memory, its settings, its version.
         */
        boolean everywhere() {
            return status == 400 || status == 404;
        }
    }

    /** The module does not answer, not in time, or with what cannot be read. @param why as text */
    record SilenceOf<A>(MID by, String why) implements CallReply<A> {}
}
