package io.trawl.extract;

import io.trawl.extract.rule.ItemField;
import io.trawl.extract.rule.ItemRule;
import io.trawl.extract.rule.Transform;
import io.trawl.extract.rule.ValueType;
import io.trawl.extract.CompiledField.ValueReader;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.pattern.TextPattern;
import io.trawl.pattern.UrlPattern;
import io.trawl.value.DateText;
import io.trawl.value.Locales;
import io.trawl.value.NumberText;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Checks rules, and compiles what is valid of them. It reports every fault, with the path of its field from the group
 * {@code extract} on.
 */
record RuleCompiler(Consumer<Fault> faults) {
    static final int MOST_RULES = 100;
    static final int MOST_FIELDS = 100;
    private static final int MOST_STEPS = 20;
    private static final int DEEPEST = 5;
    private static final int LONGEST_SELECTOR = 1_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
    private static final String NAME_RULE = "1 to 64 letters, digits, _ and -, the first one a letter or _";
    private static final Set<String> OTHER_TYPES = Set.of("page", "error");

    /**
     * A rule that is valid.
     *
     * @param each what there is an item for; empty: the page
     * @param key the names of fields by which items are known; empty: they are known by their places
     */
    record CompiledRule(String path, String type, Optional<UrlPattern> match, Optional<Source> each, List<String> key,
            List<CompiledField> fields) {}

    List<CompiledRule> compile(List<ItemRule> rules) {
        unless(rules.size() <= MOST_RULES, "items", rules.size() + " rules", "at most " + MOST_RULES);
        List<CompiledRule> compiled = new ArrayList<>();
        for (int i = 0; i < Math.min(rules.size(), MOST_RULES); i++) {
            compiled.add(rule("items[" + i + "]", rules.get(i)));
        }
        return compiled;
    }

    private CompiledRule rule(String path, ItemRule rule) {
        String type = rule.type().orElse("");
        unless(NAME.matcher(type).matches() && !OTHER_TYPES.contains(type), path + ".type", type,
                NAME_RULE + ", and none of page and error");
        Optional<UrlPattern> match = rule.match().flatMap(text -> read(path + ".match", () -> UrlPattern.parse(text)));
        Optional<Source> each = rule.each().flatMap(text -> read(path + ".each", () -> Source.each(bounded(text))));
        unless(!rule.fields().isEmpty(), path + ".fields", "", "at least one field");
        rule.fields().keySet()
                .forEach(name -> unless(!ItemSchema.RESERVED.contains(name), path + ".fields." + name, name,
                        "another name than those that Trawl gives in items, pages and errors: "
                                + String.join(", ", ItemSchema.RESERVED)));
        for (int i = 0; i < rule.key().size(); i++) {
            String name = rule.key().get(i);
            unless(rule.fields().containsKey(name) && rule.key().indexOf(name) == i, path + ".key[" + i + "]", name,
                    "the name of a field of the rule, once");
        }
        return new CompiledRule(path, type, match, each, rule.key(), fields(path + ".fields", rule.fields(), 1));
    }

    private List<CompiledField> fields(String path, Map<String, ItemField> fields, int depth) {
        unless(fields.size() <= MOST_FIELDS, path, fields.size() + " fields", "at most " + MOST_FIELDS);
        if (depth > DEEPEST) {
            unless(false, path, depth + " levels", "at most " + DEEPEST + " objects within each other");
            return List.of();
        }
        List<CompiledField> compiled = new ArrayList<>();
        fields.forEach((name, field) -> {
            String at = path + "." + name;
            unless(NAME.matcher(name).matches(), at, name, NAME_RULE);
            field(name, at, field, depth).ifPresent(compiled::add);
        });
        return compiled;
    }

    private Optional<CompiledField> field(String name, String path, ItemField field, int depth) {
        Optional<Source> source = source(path, field);
        Optional<TextPattern> regex = field.regex()
                .flatMap(text -> read(path + ".regex", () -> TextPattern.parse(text)));
        Locale locale = read(path + ".locale", () -> Locales.of("", field.locale())).orElse(Locale.ENGLISH);
        ValueReader reader = reader(path, field, locale);
        options(path, field);
        List<CompiledField> nested = fields(path + ".fields", field.fields(), depth + 1);
        boolean all = field.list() || field.transform().stream().anyMatch(Transform::joins);
        Optional<String> attribute = field.attribute().flatMap(text -> read(path + ".attribute", () -> named(text)));
        return source.map(from -> new CompiledField(name, path, from, attribute, regex, all,
                field.transform().stream().map(Transform::operator).toList(), reader, field.list(), field.required(),
                field.strict(), field.fallback(), nested));
    }

    /**
     * One source; of JSON in an element two; a pattern alone reads the source text, and an object alone its own
     * element.
     */
    private Optional<Source> source(String path, ItemField field) {
        long named = field.sources().stream().filter(Optional::isPresent).count();
        boolean embedded = named == 2 && field.json().isPresent()
                && (field.css().isPresent() || field.xpath().isPresent());
        if (named > 1 && !embedded || named == 0 && field.regex().isEmpty() && field.fields().isEmpty()) {
            unless(false, path, named + " sources",
                    "one of css, xpath, json, jsonld, meta, openGraph, microdata, header, page"
                            + " and regex; css or xpath with json for JSON in an element");
            return Optional.empty();
        }
        Optional<Source> element = field.css().flatMap(text -> read(path + ".css", () -> Source.css(bounded(text))))
                .or(() -> field.xpath().flatMap(text -> read(path + ".xpath", () -> Source.xpath(text))));
        if (field.json().isPresent()) {
            String text = field.json().get();
            return read(path + ".json", () -> element.map(outer -> Source.jsonIn(outer, bounded(text)))
                    .orElseGet(() -> Source.json(bounded(text))));
        }
        return element
                .or(() -> field.jsonld()
                        .flatMap(text -> read(path + ".jsonld", () -> Source.linkedData(bounded(text)))))
                .or(() -> field.meta().flatMap(text -> read(path + ".meta", () -> Source.meta(named(text)))))
                .or(() -> field.openGraph()
                        .flatMap(text -> read(path + ".openGraph", () -> Source.meta("og:" + named(text)))))
                .or(() -> field.microdata()
                        .flatMap(text -> read(path + ".microdata", () -> Source.microdata(named(text)))))
                .or(() -> field.header().flatMap(text -> read(path + ".header", () -> Source.header(named(text)))))
                .or(() -> field.page().flatMap(text -> read(path + ".page", () -> Source.page(text))))
                .or(() -> field.css().isPresent() || field.xpath().isPresent() || named > 0
                        ? Optional.empty()
                        : Optional.of(field.fields().isEmpty() ? Source.written() : (_, within, _) -> List.of(within)));
    }

    private static String named(String text) {
        if (text.isBlank() || text.length() > LONGEST_SELECTOR) {
            throw new InvalidValueException("", text, "a name");
        }
        return text.strip();
    }

    private static String bounded(String text) {
        if (text.length() > LONGEST_SELECTOR) {
            throw new InvalidValueException("", text, "at most " + LONGEST_SELECTOR + " characters");
        }
        return text;
    }

    private void options(String path, ItemField field) {
        boolean object = !field.fields().isEmpty();
        unless(!object || field.type().isEmpty() && field.regex().isEmpty() && field.attribute().isEmpty()
                && field.transform().isEmpty() && field.fallback().isEmpty(), path + ".fields", "an object",
                "without type, regex, attribute, transform and default");
        unless(field.attribute().isEmpty() || field.css().isPresent() || field.xpath().isPresent(), path + ".attribute",
                field.attribute().orElse(""), "only with css or xpath");
        ValueType type = field.type().orElse(ValueType.TEXT);
        unless(field.formats().isEmpty() || type == ValueType.DATE, path + ".formats", field.formats(),
                "only with type: date");
        unless(field.locale().isEmpty() || Set.of(ValueType.DATE, ValueType.NUMBER, ValueType.MONEY).contains(type),
                path + ".locale", field.locale().orElse(""), "only with type: number, date or money");
        unless(field.transform().size() <= MOST_STEPS, path + ".transform", field.transform().size() + " steps",
                "at most " + MOST_STEPS);
        field.fallback()
                .ifPresent(value -> unless(
                        field.list()
                                ? value instanceof List<?> list && list.stream().allMatch(v -> accepts(type, v))
                                : accepts(type, value),
                        path + ".default", value,
                        (field.list() ? "a list of values" : "a value") + " of the type " + type.word()));
    }

    private static boolean accepts(ValueType type, Object value) {
        return switch (type) {
            case NUMBER -> value instanceof Number;
            case MONEY -> value instanceof Map<?, ?> money && money.get("amount") instanceof Number
                    && Set.of("amount", "currency").containsAll(money.keySet());
            case TEXT, HTML, MARKDOWN, DATE, URL -> value instanceof String;
        };
    }

    private ValueReader reader(String path, ItemField field, Locale locale) {
        return switch (field.type().orElse(ValueType.TEXT)) {
            case TEXT -> new Reading((_, part) -> part.text(), (_, text, _) -> text);
            case HTML -> new Reading((_, part) -> part.source(), (_, text, _) -> text);
            case MARKDOWN -> new Reading(MarkdownText::of, (_, text, _) -> text);
            case URL ->
                new Reading((_, part) -> CompiledField.reference(part), (page, text, _) -> page.resolve(text.strip())
                        .orElseThrow(() -> new InvalidValueException("", text, "an http or https URL")));
            case NUMBER -> {
                NumberText numbers = new NumberText(locale);
                yield new Reading((_, part) -> part.text(), (_, text, plain) -> numbers.number(text, plain));
            }
            case MONEY -> {
                NumberText numbers = new NumberText(locale);
                yield new Reading((_, part) -> part.text(), (_, text, plain) -> numbers.money(text, plain));
            }
            case DATE -> {
                List<DateTimeFormatter> own = new ArrayList<>();
                for (int i = 0; i < Math.min(field.formats().size(), MOST_STEPS); i++) {
                    String pattern = field.formats().get(i);
                    read(path + ".formats[" + i + "]", () -> DateText.format("", bounded(pattern), locale))
                            .ifPresent(own::add);
                }
                unless(field.formats().size() <= MOST_STEPS, path + ".formats", field.formats().size() + " formats",
                        "at most " + MOST_STEPS);
                DateText dates = DateText.of(field.formats(), own, locale, ZoneOffset.UTC);
                yield new Reading((_, part) -> part.text(), (_, text, _) -> dates.iso(text));
            }
        };
    }

    /** A reader of two functions. */
    private record Reading(BiFunction<PageSource, Part, String> texts, Conversion conversion) implements ValueReader {
        private interface Conversion {
            Object value(PageSource page, String text, boolean number);
        }

        @Override
        public String text(PageSource page, Part part) {
            return texts.apply(page, part);
        }

        @Override
        public Object value(PageSource page, String text, boolean number) {
            return conversion.value(page, text, number);
        }
    }

    /** The value; empty, with a fault of this field added, if it is not valid. */
    private <T> Optional<T> read(String path, Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (InvalidValueException e) {
            faults.accept(e.fault().of(path));
            return Optional.empty();
        }
    }

    private void unless(boolean holds, String path, Object value, String rule) {
        if (!holds) {
            faults.accept(new Fault(path, String.valueOf(value), rule));
        }
    }
}
