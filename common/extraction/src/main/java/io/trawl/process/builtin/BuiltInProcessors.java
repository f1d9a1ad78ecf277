package io.trawl.process.builtin;

import io.trawl.api.ItemProcessor;
import io.trawl.codec.Json;
import io.trawl.model.InvalidValueException;
import io.trawl.process.ProcessorStep;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes processors of the steps of a crawl file. Pure functions. */
public final class BuiltInProcessors {
    private BuiltInProcessors() {}

    /**
     * The processor of a step; empty if it names a plug-in, or is {@code unique} or {@code similar}, which no process
     * can decide alone.
     *
     * @throws InvalidValueException that names the field within the step, if it is none
     */
    public static Optional<ItemProcessor> of(ProcessorStep step) {
        Map<String, Object> parts = step.parts();
        if (parts.size() != 1) {
            throw new InvalidValueException("name", parts.isEmpty() ? "" : String.join(", ", parts.keySet()),
                    "the name of an item processor, or one of "
                            + Json.fields(ProcessorStep.class).sorted().collect(Collectors.joining(", ")));
        }
        step.similar().ifPresent(field -> FieldProcessors.names("similar", List.of(field)));
        return step.rename().map(FieldProcessors::renaming).or(() -> step.drop().map(FieldProcessors::dropping))
                .or(() -> step.keep().map(FieldProcessors::keeping))
                .or(() -> step.trim().map(FieldProcessors::trimming))
                .or(() -> step.replace().map(FieldProcessors::replacing))
                .or(() -> step.number().map(FieldProcessors::numbers)).or(() -> step.date().map(FieldProcessors::dates))
                .or(() -> step.set().map(FieldProcessors::setting)).or(() -> step.require().map(ItemCondition::parse));
    }

    /**
     * What tells items apart, if a step is {@code unique}.
     *
     * @throws InvalidValueException if its fields are none
     */
    public static Optional<ItemContent> content(ProcessorStep step) {
        return step.unique().map(ItemContent::new);
    }
}
