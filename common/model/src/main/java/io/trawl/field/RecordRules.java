package io.trawl.field;

import io.trawl.model.InvalidValueException.Fault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The rules beside the components of a record, and of the records in it: in it, in an {@link Optional} or in a list.
 * Immutable and thread-safe.
 */
public final class RecordRules {
    private final List<Rule> rules;

    private RecordRules(Class<?> type) {
        this.rules = Arrays.stream(type.getRecordComponents()).map(Rule::of).filter(Rule::any).toList();
    }

    /** Those of a record, none of which has itself as a part. */
    public static RecordRules of(Class<? extends Record> type) {
        return new RecordRules(type);
    }

    /**
     * Finds what breaks a rule.
     *
     * @param prefix of the names of the fields, such as {@code fetch.}
     * @param faults receives each fault
     * @return whether no list is too long; the elements of one that is are checked as far as it may go
     */
    public boolean check(String prefix, Record value, Consumer<Fault> faults) {
        boolean fits = true;
        for (Rule rule : rules) {
            fits &= rule.check(prefix + rule.component.getName(), rule.of(value), faults);
        }
        return fits;
    }

    private record Rule(RecordComponent component, Constraints constraints, Optional<RecordRules> nested) {
        static Rule of(RecordComponent component) {
            Class<?> type = element(component.getGenericType());
            return new Rule(component, Constraints.of(component),
                    type.isRecord() ? Optional.of(new RecordRules(type)) : Optional.empty());
        }

        private static Class<?> element(Type type) {
            return type instanceof ParameterizedType generic
                    ? element(generic.getActualTypeArguments()[0])
                    : (Class<?>) type;
        }

        boolean any() {
            return !constraints.isEmpty() || nested.filter(parts -> !parts.rules.isEmpty()).isPresent();
        }

        Object of(Record value) {
            try {
                return component.getAccessor().invoke(value);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
        }

        boolean check(String field, Object value, Consumer<Fault> faults) {
            return switch (value) {
                case Optional<?> optional -> optional.isEmpty() || check(field, optional.get(), faults);
                case List<?> list -> elements(field, list, faults);
                case Record part when nested.isPresent() -> nested.get().check(field + ".", part, faults);
                default -> {
                    constraints.faults(field, value).forEach(faults);
                    yield true;
                }
            };
        }

        private boolean elements(String field, List<?> list, Consumer<Fault> faults) {
            int most = constraints.size().map(Size::max).orElse(Integer.MAX_VALUE);
            boolean fits = list.size() <= most;
            if (!fits) {
                faults.accept(new Fault(field, Integer.toString(list.size()), "at most " + most));
            }
            for (int i = 0; i < Math.min(list.size(), most); i++) {
                fits &= check(field + "[" + i + "]", list.get(i), faults);
            }
            return fits;
        }
    }
}
