package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The state of a module's stage. Decisions switch on these types; {@link #text} is for people only. In JSON it is an
 * object such as {@code {"phase":"waiting","for":"LEASES"}}; a phase of a newer version is read as
 * {@link UnknownPhase}, an unknown reason as {@code OTHER}. Immutable.
 */
public sealed interface StageState {
    /** A state that needs no explanation. */
    enum Phase implements StageState {
        /** The stage is not ready yet. */
        STARTING,
        /** The stage works. */
        RUNNING,
        /** This coordinator is a member of the group and not the leader. */
        FOLLOWING,
        /** This coordinator is assigned the seeds and reads the records of the previous leader. */
        TAKING_OVER,
        /** This coordinator is the leader. */
        LEADING,
        /** The stage accepts no new work and finishes the work in flight. */
        STOPPING,
        /** The stage has ended. */
        STOPPED
    }

    /**
     * The stage cannot work until a dependency is available.
     *
     * @param dependency the missing dependency
     * @param detail the cause for people, from the beginning of the wait
     */
    record WaitingFor(Dependency dependency, Optional<String> detail) implements StageState {
        /** Waits without a known cause. */
        public WaitingFor(Dependency dependency) {
            this(dependency, Optional.empty());
        }

        /** Waits because of an exception. */
        public WaitingFor(Dependency dependency, Exception cause) {
            this(dependency, Optional.of(message(cause)));
        }
    }

    /** The dependencies of stages. */
    enum Dependency {
        /** The broker does not answer. */
        KAFKA,
        /** Redis does not answer. */
        REDIS,
        /** No coordinator has announced the request topics. */
        REQUEST_TOPICS,
        /** Another downloader holds the leases on the assigned partitions. */
        LEASES,
        /** The output folder is not writable. */
        OUTPUT_FOLDER,
        /** The previous owner of the partition has not yet finished or removed its files. */
        ANOTHER_PIPELINE,
        /** A call to Kafka or Redis does not return, or records that wait do not come. */
        ANSWER,
        /** The stage restarts after an unexpected error. */
        RETRY,
        /** A dependency that only a newer version knows. */
        OTHER
    }

    /**
     * The stage is healthy and answers calls, but starts no new work.
     *
     * @param reason why it starts no new work
     * @param detail the cause for people, from the beginning of the hold
     */
    record HoldingFor(HoldReason reason, Optional<String> detail) implements StageState {
        /** Holds without a known cause. */
        public HoldingFor(HoldReason reason) {
            this(reason, Optional.empty());
        }

        /** Holds because of an exception. */
        public HoldingFor(HoldReason reason, Exception cause) {
            this(reason, Optional.of(message(cause)));
        }
    }

    private static String message(Exception cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Why a stage starts no new work. */
    enum HoldReason {
        /** Too many responses wait for analyzers. */
        ANALYZERS,
        /** Too many items wait for pipelines. */
        PIPELINES,
        /** The heap of this process is nearly full. */
        MEMORY,
        /** Redis does not answer, so this coordinator does not take over. */
        REDIS,
        /** The stop sign of the fleet is in force. */
        STOP_SIGN,
        /** A reason that only a newer version knows. */
        OTHER
    }

    /** A phase that only a newer version knows. It is written back unchanged. */
    record UnknownPhase(StateFields written) implements StageState {}

    /** The form in JSON; empty values are left out. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record StateFields(String phase, @JsonProperty("for") Optional<String> reason, Optional<String> detail) {}

    /** Whether the stage can work: the readiness of its process. */
    default boolean ready() {
        return switch (this) {
            case Phase.RUNNING, Phase.FOLLOWING, Phase.TAKING_OVER, Phase.LEADING -> true;
            case HoldingFor _ -> true;
            case Phase.STARTING, Phase.STOPPING, Phase.STOPPED -> false;
            case WaitingFor _,UnknownPhase _ -> false;
        };
    }

    /**
     * The state as a short text for people: {@code running}, {@code waiting for redis}, {@code holding for analyzers}.
     */
    default String text() {
        StateFields fields = fields();
        return words(fields.phase() + fields.reason().map(reason -> " for " + reason).orElse(""));
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[_-]", " ");
    }

    /** The JSON form. */
    @JsonValue
    default StateFields fields() {
        return switch (this) {
            case Phase phase -> new StateFields(word(phase), Optional.empty(), Optional.empty());
            case WaitingFor(Dependency dependency, Optional<String> detail) ->
                new StateFields("waiting", Optional.of(dependency.name()), detail);
            case HoldingFor(HoldReason reason, Optional<String> detail) ->
                new StateFields("holding", Optional.of(reason.name()), detail);
            case UnknownPhase(StateFields written) -> written;
        };
    }

    private static String word(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The state of a JSON form. */
    @JsonCreator
    static StageState of(StateFields fields) {
        return switch (fields.phase()) {
            case "waiting" ->
                new WaitingFor(among(Dependency.values(), fields.reason(), Dependency.OTHER), fields.detail());
            case "holding" ->
                new HoldingFor(among(HoldReason.values(), fields.reason(), HoldReason.OTHER), fields.detail());
            default -> Arrays.stream(Phase.values()).filter(phase -> word(phase).equals(fields.phase()))
                    .<StageState>map(phase -> phase).findFirst().orElseGet(() -> new UnknownPhase(fields));
        };
    }

    private static <E extends Enum<E>> E among(E[] values, Optional<String> name, E other) {
        return Arrays.stream(values).filter(value -> name.filter(value.name()::equals).isPresent()).findFirst()
                .orElse(other);
    }
}
