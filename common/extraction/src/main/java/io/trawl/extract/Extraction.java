package io.trawl.extract;

import io.trawl.codec.Json;
import io.trawl.extract.rule.ItemField;
import io.trawl.extract.rule.ItemRule;
import io.trawl.extract.CompiledField.PageTally;
import io.trawl.extract.CompiledField.SpentException;
import io.trawl.extract.RuleCompiler.CompiledRule;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.pattern.UrlParts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules of a crawl, compiled: they read items out of pages. Thread-safe. */
public final class Extraction {
    /** No rules. */
    public static final Extraction NONE = new Extraction(List.of(), false, Optional.empty());
    private static final String GROUP = "extract.";
    private static final int MOST_ERRORS = 100;
    /** Of a small page. */
    private static final long LEAST_CHARACTERS = 256 << 10;
    /** Elements within each other may give their text again and again; usual pages give less than themselves. */
    private static final long CHARACTERS_PER_CHARACTER = 8;
    private final List<CompiledRule> rules;
    private final boolean readsText;
    private final Optional<String> fault;

    private Extraction(List<CompiledRule> rules, boolean readsText, Optional<String> fault) {
        this.rules = rules;
        this.readsText = readsText;
        this.fault = fault;
    }

    /**
     * Compiles rules.
     *
     * @throws InvalidValueException if a rule is not valid
     */
    public static Extraction of(List<ItemRule> rules) {
        List<CompiledRule> compiled = new RuleCompiler(fault -> {
            throw new InvalidValueException(GROUP + fault.field(), fault.value(), fault.rule());
        }).compile(rules);
        return new Extraction(
                compiled, rules.stream().flatMap(rule -> rule.fields().values().stream()).flatMap(ItemField::all)
                        .anyMatch(field -> field.page().filter(PageField.TEXT.word()::equals).isPresent()),
                Optional.empty());
    }

    /** Rules that this version cannot read: each page has this error, and no items. */
    public static Extraction broken(String fault) {
        return new Extraction(List.of(), false, Optional.of(fault));
    }

    /** Everything that is wrong with rules, with the path in the definition. */
    public static List<Fault> faults(List<ItemRule> rules) {
        List<Fault> faults = new ArrayList<>();
        new RuleCompiler(fault -> faults.add(fault.of(GROUP + fault.field()))).compile(rules);
        return faults;
    }

    /** Whether a rule takes the main text of pages, so that it must be read. */
    public boolean readsText() {
        return readsText;
    }

    /**
     * An item.
     *
     * @param ordinal its place among the elements of its type on the page; the first is 1. An element without item has
     * one, too
     * @param key the values of the fields by which its rule knows it, and its number among the items of the type on the
     * page that have the same; empty if it is known by its ordinal
     */
    public record TypedItem(String type, int ordinal, Optional<String> key, Map<String, Object> fields) {}

    /**
     * What rules read out of a page.
     *
     * @param errors one for each item that lacks a value or has one of the wrong type, with rule, field and value; the
     * first hundred, and how many more there are
     * @param leftOut values of the wrong type that items may lack, by field
     * @param cut whether items were left out, because the page would make too many or too large ones
     */
    public record ExtractedItems(List<TypedItem> items, List<String> errors, List<LeftOut> leftOut, boolean cut) {}

    /**
     * Values of a field that are not in items.
     *
     * @param field of the definition: {@code extract.items[0].fields.price}
     * @param cause what is wrong with the first of them, and how many there are, for people
     */
    public record LeftOut(String field, String cause, int count) {}

    /** Applies all rules whose pattern the URL matches, in their order. @param most the number of items */
    public ExtractedItems extract(PageSource page, int most) {
        if (rules.isEmpty()) {
            return new ExtractedItems(List.of(), fault.stream().toList(), List.of(), false);
        }
        Run run = new Run(page, most);
        UrlParts url = UrlParts.of(page.page().url());
        boolean complete = true;
        for (CompiledRule rule : rules) {
            if (complete && rule.match().filter(pattern -> !pattern.matches(url)).isEmpty()) {
                complete = run.apply(rule);
            }
        }
        return run.result(!complete);
    }

    /** The extraction from one page. */
    private static final class Run {
        private final PageSource page;
        private final int most;
        private final PageTally tally;
        private final List<TypedItem> items = new ArrayList<>();
        private final List<String> errors = new ArrayList<>();
        private final Map<String, Integer> ordinals = new HashMap<>();
        private final Map<String, Integer> keys = new HashMap<>();
        private int failed;

        Run(PageSource page, int most) {
            this.page = page;
            this.most = most;
            this.tally = new PageTally(Math.max(LEAST_CHARACTERS, page.size() * CHARACTERS_PER_CHARACTER));
        }

        /** @return whether there was room for all its items */
        boolean apply(CompiledRule rule) {
            List<Part> parts;
            try {
                parts = rule.each().map(each -> each.read(page, page.root(), true))
                        .orElseGet(() -> List.of(page.root()));
            } catch (InvalidValueException e) {
                failed(rule, e, "the items were");
                return true;
            }
            for (Part part : parts) {
                if (items.size() + failed >= most) {
                    return false;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new IllegalStateException("interrupted during the extraction");
                }
                int ordinal = ordinals.merge(rule.type(), 1, Integer::sum);
                try {
                    Optional<Map<String, Object>> object = CompiledField.object(rule.fields(), page, part, tally);
                    object.ifPresent(
                            fields -> items.add(new TypedItem(rule.type(), ordinal, key(rule, fields), fields)));
                } catch (InvalidValueException e) {
                    failed(rule, e, rule.type() + " " + ordinal + " of this page was");
                } catch (SpentException e) {
                    return false;
                }
            }
            return true;
        }

        /** An item without any of the fields is known by its place. */
        private Optional<String> key(CompiledRule rule, Map<String, Object> fields) {
            List<Optional<Object>> values = rule.key().stream().map(name -> Optional.ofNullable(fields.get(name)))
                    .toList();
            if (values.stream().allMatch(Optional::isEmpty)) {
                return Optional.empty();
            }
            String key = Json.text(values);
            return Optional.of(key + keys.merge(rule.type() + " " + key, 1, Integer::sum));
        }

        private void failed(CompiledRule rule, InvalidValueException e, String what) {
            failed++;
            if (errors.size() < MOST_ERRORS) {
                Fault fault = e.fault().of(GROUP + (e.field().isEmpty() ? rule.path() + ".each" : e.field()));
                errors.add(fault.text() + "; " + what + " left out");
            }
        }

        ExtractedItems result(boolean cut) {
            if (failed > errors.size()) {
                errors.add(failed - errors.size() + " further items of this page were left out for such reasons");
            }
            List<LeftOut> leftOut = tally.errors().stream()
                    .map(field -> new LeftOut(GROUP + field.first().field(),
                            field.first().of(GROUP + field.first().field()).text() + "; left empty"
                                    + (field.count() > 1
                                            ? ", as " + (field.count() - 1) + " further value"
                                                    + (field.count() > 2 ? "s" : "") + " of the field"
                                            : ""),
                            field.count()))
                    .toList();
            return new ExtractedItems(items, errors, leftOut, cut);
        }
    }
}
