package io.trawl.coordinator.lifecycle;

import io.trawl.model.InvalidValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects what is wrong, so that a user learns everything at once (S13). Not thread-safe. */
final class Faults {
    private final List<Fault> faults = new ArrayList<>();

    /** Notes a fault unless the rule holds. */
    void unless(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            faults.add(new Fault(field, String.valueOf(value), rule));
        }
    }

    /** The value, or a noted fault and nothing. */
    <T> Optional<T> note(Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (InvalidValue e) {
            faults.add(Fault.of(e));
            return Optional.empty();
        }
    }

    /** @throws InvalidDefinition if anything was noted */
    void check() {
        if (!faults.isEmpty()) {
            throw new InvalidDefinition(faults);
        }
    }
}
