package io.trawl.coordinator.definition;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Collects faults, so that a user sees them at once (S13): the first {@value #MOST}, and how many more there are. Not
 * thread-safe.
 */
public final class FaultCollector {
    static final int MOST = 100;
    private final List<Fault> faults = new ArrayList<>();
    private long more;

    /** Adds a fault, which is made only if it is kept. */
    void add(Supplier<Fault> fault) {
        if (faults.size() < MOST) {
            faults.add(fault.get());
        } else {
            more++;
        }
    }

    /** Adds what another collector has. */
    public void addAll(List<Fault> others, long moreOthers) {
        others.forEach(fault -> add(() -> fault));
        more += moreOthers;
    }

    /** Adds a fault unless the rule holds. */
    void unless(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            add(() -> new Fault(field, String.valueOf(value), rule));
        }
    }

    /** Applies a rule to each element of a list, with the name of its field. */
    <T> void each(String field, List<T> elements, BiConsumer<String, T> rule) {
        for (int i = 0; i < elements.size(); i++) {
            rule.accept(field + "[" + i + "]", elements.get(i));
        }
    }

    /** The value; empty, with a fault added, if it is not valid. */
    public <T> Optional<T> note(Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (InvalidValueException e) {
            add(e::fault);
            return Optional.empty();
        }
    }

    /** Adds what this collector has to another. @return whether there is anything */
    public boolean addTo(FaultCollector other) {
        other.addAll(faults, more);
        return !faults.isEmpty();
    }

    /** The kept faults. */
    List<Fault> faults() {
        return List.copyOf(faults);
    }

    /** How many there are, kept or not. */
    long count() {
        return faults.size() + more;
    }

    /** How many are not kept. */
    long more() {
        return more;
    }

    /** @throws InvalidDefinitionException if there are faults */
    public void check() {
        if (!faults.isEmpty()) {
            throw new InvalidDefinitionException(faults, more);
        }
    }
}
