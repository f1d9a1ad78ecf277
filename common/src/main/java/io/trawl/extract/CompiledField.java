package io.trawl.extract;

import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.JsonPart;
import io.trawl.model.InvalidValueException;
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
 * @param nested the fields of an object; empty for a value
 */
record CompiledField(String name, String path, Source source, Optional<String> attribute, Optional<TextPattern> regex,
        boolean all, List<UnaryOperator<List<String>>> transform, ValueReader reader, boolean list, boolean required,
        Optional<Object> fallback, List<CompiledField> nested) {
    private static final int MOST_VALUES = 10_000;
    private static final int LONGEST = 500_000;
    private static final Set<String> WITH_SRC = Set.of("img", "script", "iframe", "frame", "source", "video", "audio", "embed");

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

    /** The characters that items of a page may still have. */
    static final class Allowance {
        private long left;

        Allowance(long characters) {
            this.left = characters;
        }

        private void take(String text) {
            left -= text.length() + 1;
            if (left < 0) {
                throw new SpentException();
            }
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
     * @throws InvalidValueException if a required one is missing, or one has another type
     */
    static Optional<Map<String, Object>> object(List<CompiledField> fields, PageSource page, Part within, Allowance allowance) {
        Map<String, Object> object = new LinkedHashMap<>();
        boolean found = false;
        for (CompiledField field : fields) {
            Optional<Object> value = field.value(page, within, allowance);
            found |= value.isPresent();
            value.or(field::fallback).ifPresent(known -> object.put(field.name(), known));
        }
        return found ? Optional.of(object) : Optional.empty();
    }

    private Optional<Object> value(PageSource page, Part within, Allowance allowance) {
        List<Object> values;
        try {
            List<Part> parts = source.read(page, within, all);
            values = nested.isEmpty() ? values(page, parts, allowance) : objects(page, parts, allowance);
        } catch (InvalidValueException e) {
            throw e.field().isEmpty() ? new InvalidValueException(path, e.value(), e.rule()) : e;
        }
        if (values.isEmpty() && required && fallback.isEmpty()) {
            throw new InvalidValueException(path, "", "it is required, and the page has none");
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(list ? values : values.getFirst());
    }

    private List<Object> objects(PageSource page, List<Part> parts, Allowance allowance) {
        List<Object> objects = new ArrayList<>();
        for (Part part : parts) {
            if (!objects.isEmpty() && !list) {
                break;
            }
            bound(objects.size());
            object(nested, page, part, allowance).ifPresent(objects::add);
        }
        return objects;
    }

    private List<Object> values(PageSource page, List<Part> parts, Allowance allowance) {
        List<String> texts = new ArrayList<>();
        for (Part part : parts) {
            String text = attribute.map(name -> part instanceof ElementPart(var element) ? element.attr(name) : "")
                    .orElseGet(() -> reader.text(page, part));
            regex.ifPresentOrElse(pattern -> texts.addAll(pattern.all(text, all ? MOST_VALUES : 1)), () -> texts.add(text));
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
            if (!text.isBlank() && (list || values.isEmpty())) {
                allowance.take(text);
                values.add(reader.value(page, text, number));
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
            throw new InvalidValueException("", length + " characters", "at most " + LONGEST + " characters in a field");
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
