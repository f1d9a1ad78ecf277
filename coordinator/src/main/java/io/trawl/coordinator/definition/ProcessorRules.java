package io.trawl.coordinator.definition;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.process.ProcessorStep;
import io.trawl.process.builtin.BuiltInProcessors;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rules of the list of item processors. Which plug-ins there are is known to pipelines only. Pure. */
final class ProcessorRules {
    private ProcessorRules() {}

    /** What is wrong, one fault for each step at most. @param field of the list */
    static Stream<Fault> faults(String field, List<ProcessorStep> steps) {
        return IntStream.range(0, steps.size()).mapToObj(i -> fault(field + "[" + i + "]", steps, i))
                .flatMap(Optional::stream);
    }

    private static Optional<Fault> fault(String at, List<ProcessorStep> steps, int place) {
        ProcessorStep step = steps.get(place);
        try {
            BuiltInProcessors.of(step);
            BuiltInProcessors.content(step);
        } catch (InvalidValueException e) {
            return Optional.of(e.fault().of(at + "." + e.field()));
        }
        Optional<String> name = step.name().filter(n -> n.isBlank() || steps.indexOf(step) < place);
        if (name.isPresent()) {
            return Optional.of(new Fault(at, name.get(), "a name that is not empty and not in the list before"));
        }
        Optional<String> early = step.similar().filter(
                _ -> steps.subList(place + 1, steps.size()).stream().anyMatch(later -> later.unique().isEmpty()));
        if (early.isPresent()) {
            return Optional.of(new Fault(at + ".similar", early.get(), "the last step, or the last before unique"));
        }
        return step.unique().filter(_ -> place < steps.size() - 1).map(fields -> new Fault(at + ".unique",
                String.join(", ", fields), "the last step, since it is decided when all others are done"));
    }
}
