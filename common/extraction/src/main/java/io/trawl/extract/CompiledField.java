package io.trawl.extract;

import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.JsonPart;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.pattern.TextPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A field that can be read out of pages. Thread-safe.
 *
 * @param path in the definition, for errors
 * @param attribute of the elements, instead of their text
 * @param regex takes its first group
 * @param all whether all values of the source are wanted
 * @param transform what is done with the texts
 * @param strict whether a value of another type is an error of the item; else it is left out
 * @param nested the fields of an object; empty for a value
 */
record CompiledField(String name, String path, Source source, Optional<String> attribute, Optional<TextPattern> regex,
        boolean all, List<UnaryOperator<List<String>>> transform, ValueReader reader, boolean list, boolean required,
        boolean strict, Optional<Object> fallback, List<CompiledField> nested) {
    private static final int MOST_VALUES = 10_000;
    private static final int LONGEST = 500_000;
    private static final Set<String> WITH_SRC = Set.of("img", "script", "iframe", "frame", "source", "video", "audio",
            "embed");

    /** How the text of a field becomes its value. */
    interface ValueReader {
        /** What there is of an element or a value. @throws InvalidValueException if it is too large to be read */
        String text(PageSource page, Part part);

        /**
         * The value.
         *
         * @param number whether the text is a number of JSON, which has no locale
         * @throws InvalidValueException if the text is no such value
         */
        Object value(PageSource page, String text, boolean number);
    }

    /** What the items of a page have taken and lost. */
    static final class PageTally {
        private final Map<String, FieldErrors> errors = new LinkedHashMap<>();
        private long left;

        /** @param characters that the items may have */
        PageTally(long characters) {
            this.left = characters;
        }

        /** The values that were left out, by field. */
        List<FieldErrors> errors() {
            return List.copyOf(errors.values());
        }

        private void leftOut(Fault fault) {
            errors.merge(fault.field(), new FieldErrors(fault, 1), FieldErrors::and);
        }

        private void take(String text) {
            left -= text.length() + 1;
            if (left < 0) {
                throw new SpentException();
            }
        }
    }

    /**
     * Values of a field that could not be read.
     *
     * @param first what is wrong with the first of them
     * @param count how many there are on the page
     */
    record FieldErrors(Fault first, int count) {
        private FieldErrors and(FieldErrors more) {
            return new FieldErrors(first, count + more.count);
        }
    }

    /** The items of a page have too many characters. */
    static final class SpentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        SpentException() {
            super(null, null, false, false);
        }
    }

    /**
     * The fields of an object; empty if the page has none of them.
     *
     * @throws InvalidValueException if a required one is missing, or a strict one has another type
     */
    static Optional<Map<String, Object>> object(List<CompiledField> fields, PageSource page, Part within,
            PageTally tally) {
        Map<String, Object> object = new LinkedHashMap<>();
        boolean found = false;
        for (CompiledField field : fields) {
            Optional<Object> value = field.value(page, within, tally);
            found |= value.isPresent();
            value.or(field::fallback).ifPresent(known -> object.put(field.name(), known));
        }
        return found ? Optional.of(object) : Optional.empty();
    }

    private Optional<Object> value(PageSource page, Part within, PageTally tally) {
        List<Object> values;
        try {
            List<Part> parts = source.read(page, within, all);
            values = nested.isEmpty() ? values(page, parts, tally) : objects(page, parts, tally);
        } catch (InvalidValueException e) {
            if (!e.field().isEmpty()) {
                throw e;
            }
            leaveOut(e, tally);
            values = List.of();
        }
        if (values.isEmpty() && required && fallback.isEmpty()) {
            throw new InvalidValueException(path, "", "it is required, and the page has none");
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(list ? values : values.getFirst());
    }

    private void leaveOut(InvalidValueException e, PageTally tally) {
        if (strict) {
            throw new InvalidValueException(path, e.value(), e.rule());
        }
        tally.leftOut(e.fault().of(path));
    }

    private List<Object> objects(PageSource page, List<Part> parts, PageTally tally) {
        List<Object> objects = new ArrayList<>();
        for (Part part : parts) {
            if (!objects.isEmpty() && !list) {
                break;
            }
            bound(objects.size());
            object(nested, page, part, tally).ifPresent(objects::add);
        }
        return objects;
    }

    private List<Object> values(PageSource page, List<Part> parts, PageTally tally) {
        List<String> texts = new ArrayList<>();
        for (Part part : parts) {
            String text = attribute.map(name -> part instanceof ElementPart(var element) ? element.attr(name) : "")
                    .orElseGet(() -> reader.text(page, part));
            regex.ifPresentOrElse(pattern -> texts.addAll(pattern.all(text, all ? MOST_VALUES : 1)),
                    () -> texts.add(text));
            if (!all && !texts.isEmpty()) {
                break;
            }
        }
        List<String> changed = texts;
        for (UnaryOperator<List<String>> step : transform) {
            changed = step.apply(bounded(changed));
        }
        boolean number = transform.isEmpty() && regex.isEmpty() && !parts.isEmpty()
                && parts.getFirst() instanceof JsonPart(var json) && json.isNumber();
        List<Object> values = new ArrayList<>();
        for (String text : bounded(changed)) {
            if (!text.isBlank()) {
                tally.take(text);
                try {
                    values.add(reader.value(page, text, number));
                } catch (InvalidValueException e) {
                    leaveOut(e, tally);
                }
                if (!list) {
                    break;
                }
            }
        }
        return values;
    }

    private static List<String> bounded(List<String> texts) {
        bound(texts.size());
        long length = 0;
        for (String text : texts) {
            length += text.length();
        }
        if (length > LONGEST) {
            throw new InvalidValueException("", length + " characters",
                    "at most " + LONGEST + " characters in a field");
        }
        return texts;
    }

    private static void bound(int values) {
        if (values > MOST_VALUES) {
            throw new InvalidValueException("", values + " values", "at most " + MOST_VALUES + " values in a field");
        }
    }

    /** The reference of an element, or its text if it has none. */
    static String reference(Part part) {
        if (!(part instanceof ElementPart(var element))) {
            return part.text();
        }
        String attribute = WITH_SRC.contains(element.normalName()) ? "src" : "href";
        return element.hasAttr(attribute) ? element.attr(attribute) : part.text();
    }
}
