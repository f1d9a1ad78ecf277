package io.trawl.process.builtin;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.codec.Json;
import io.trawl.model.InvalidValueException;
import io.trawl.pattern.TextReplacement;
import io.trawl.process.DateField;
import io.trawl.process.NumberField;
import io.trawl.process.Replacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The built-in processors that change fields of pages. A field that an item lacks stays absent, and errors pass as they
 * are. Each factory throws an {@link InvalidValueException} that names the field of its step.
 */
final class FieldProcessors {
    /** The fields that say which item it is, and that it is no page. */
    private static final Set<String> FIXED = Set.of("id", "key", "crawl", "epoch", "url", "kind");
    private static final int MOST_FIELDS = 100;
    private static final int LONGEST_NAME = 100;
    private static final int LARGEST_CONSTANTS = 10_000;

    private FieldProcessors() {}

    /** A processor of pages: fields in, fields out. */
    private record FieldProcessor(String name, UnaryOperator<Map<String, Object>> change) implements ItemProcessor {
        @Override
        public ProcessedItem process(Item item) {
            return ProcessedItem
                    .keep(item.kind() == ItemKind.ERROR ? item : item.withFields(change.apply(item.fields())));
        }
    }

    static ItemProcessor renaming(Map<String, String> names) {
        check("rename", names.keySet());
        check("rename", names.values());
        if (new HashSet<>(names.values()).size() < names.size()) {
            throw new InvalidValueException("rename", String.valueOf(names), "another new name for each field");
        }
        return new FieldProcessor("rename", fields -> renamed(fields, names));
    }

    /**
     * All at once, so that two fields can change places. A field that already has the new name of another is replaced.
     */
    private static Map<String, Object> renamed(Map<String, Object> fields, Map<String, String> names) {
        Set<String> taken = new HashSet<>();
        names.forEach((from, to) -> {
            if (fields.containsKey(from)) {
                taken.add(to);
            }
        });
        Map<String, Object> renamed = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            String to = names.get(name);
            if (to != null || !taken.contains(name)) {
                renamed.put(to == null ? name : to, value);
            }
        });
        return renamed;
    }

    static ItemProcessor dropping(List<String> names) {
        check("drop", names);
        return filtering("drop", name -> !names.contains(name));
    }

    static ItemProcessor keeping(List<String> names) {
        check("keep", names);
        return filtering("keep", names::contains);
    }

    private static ItemProcessor filtering(String processor, Predicate<String> stays) {
        return new FieldProcessor(processor, fields -> {
            Map<String, Object> filtered = new LinkedHashMap<>(fields);
            filtered.keySet().removeIf(name -> !stays.test(name));
            return filtered;
        });
    }

    static ItemProcessor trimming(List<String> names) {
        check("trim", names);
        return editing("trim", names, FieldProcessors::trimmed);
    }

    /** Also of spaces that do not break. */
    private static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && blank(text.charAt(from))) {
            from++;
        }
        while (to > from && blank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean blank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    static ItemProcessor replacing(Replacement replacement) {
        check("replace.field", List.of(replacement.field()));
        try {
            return editing("replace", List.of(replacement.field()),
                    TextReplacement.parse(replacement.pattern(), replacement.with())::in);
        } catch (InvalidValueException e) {
            throw new InvalidValueException("replace." + e.field(), e.value(), e.rule());
        }
    }

    static ItemProcessor numbers(NumberField number) {
        check("number.field", List.of(number.field()));
        return editing("number", List.of(number.field()), number.reader());
    }

    static ItemProcessor dates(DateField date) {
        check("date.field", List.of(date.field()));
        return editing("date", List.of(date.field()), date.reader());
    }

    /** Edits texts, and the texts of lists; other values stay. */
    private static ItemProcessor editing(String processor, List<String> names, Function<String, Object> edit) {
        return new FieldProcessor(processor, fields -> {
            Map<String, Object> edited = new LinkedHashMap<>(fields);
            names.forEach(name -> edited.computeIfPresent(name, (_, value) -> edited(name, value, edit)));
            return edited;
        });
    }

    /** @throws InvalidValueException that names the field */
    private static Object edited(String name, Object value, Function<String, Object> edit) {
        try {
            return edited(value, edit);
        } catch (InvalidValueException e) {
            throw new InvalidValueException(name, e.value(), e.rule());
        }
    }

    private static Object edited(Object value, Function<String, Object> edit) {
        return switch (value) {
            case String text -> edit.apply(text);
            case List<?> list -> {
                List<Object> edited = new ArrayList<>(list.size());
                list.forEach(element -> edited.add(element instanceof String text ? edit.apply(text) : element));
                yield edited;
            }
            default -> value;
        };
    }

    @SuppressWarnings("ConstantValue")
    static ItemProcessor setting(Map<String, Object> constants) {
        check("set", constants.keySet());
        constants.forEach((name, value) -> {
            if (value == null) {
                throw new InvalidValueException("set." + name, "null",
                        "a text, a number, true, false, or a list or an object of them");
            }
        });
        if (Json.bytes(constants).length > LARGEST_CONSTANTS) {
            throw new InvalidValueException("set", Json.text(constants), "at most " + LARGEST_CONSTANTS + " bytes");
        }
        return new FieldProcessor("set", fields -> {
            Map<String, Object> more = new LinkedHashMap<>(fields);
            more.putAll(constants);
            return more;
        });
    }

    private static void check(String field, Collection<String> names) {
        names(field, names);
        for (String name : names) {
            if (FIXED.contains(name)) {
                throw new InvalidValueException(field, name,
                        "not a field that every item keeps: id, key, crawl, epoch, url, kind");
            }
        }
    }

    /** Checks the names of fields. */
    static void names(String field, Collection<String> names) {
        if (names.isEmpty() || names.size() > MOST_FIELDS) {
            throw new InvalidValueException(field, Integer.toString(names.size()), "1 to " + MOST_FIELDS + " fields");
        }
        for (String name : names) {
            if (name.isBlank() || name.length() > LONGEST_NAME) {
                throw new InvalidValueException(field, name, "names of 1 to " + LONGEST_NAME + " characters");
            }
        }
    }
}
