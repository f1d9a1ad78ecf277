package io.trawl.coordinator.probe;

import io.trawl.api.Item;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.ExtractRules;
import io.trawl.definition.CrawlDefinitionBuilder;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.extract.Extraction;
import io.trawl.extract.rule.ItemField;
import io.trawl.extract.rule.ItemRule;
import io.trawl.model.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A field that is tried on a page: a crawl with one rule of this one field. Pure. */
public final class FieldTrial {
    private static final String NAME = "value";
    private static final String PATH = "extract.items[0].fields." + NAME;
    private static final int MOST_SHOWN = 100;
    private static final int LONGEST_SHOWN = 2_000;

    private FieldTrial() {}

    /**
     * What a field takes.
     *
     * @param values the first hundred, long ones cut
     * @param count how many there are
     * @param errors for people
     */
    public record FieldValues(List<Object> values, int count, List<String> errors) {}

    /**
     * The definition of a crawl that only has this field, and takes all its values.
     *
     * @throws InvalidValueException if the field is not valid
     */
    static CrawlDefinition definition(ItemField field, CrawlDefinition of) {
        List<ItemRule> rules = List.of(new ItemRule(Optional.of("trial"), Optional.empty(), Optional.empty(), List.of(),
                Map.of(NAME, field.optionalList())));
        Extraction.faults(rules).stream().findFirst().ifPresent(fault -> {
            throw new InvalidValueException(named(fault.field()), fault.value(), fault.rule());
        });
        return CrawlDefinitionBuilder.builder().limits(of.limits()).fetch(of.fetch())
                .extract(new ExtractRules(false, false, false, false, false, List.of(), Optional.of(false), rules))
                .build();
    }

    private static String named(String path) {
        return path.startsWith(PATH) ? "field" + path.substring(PATH.length()) : path;
    }

    /** The values in an answer. */
    static FieldValues values(AnalyzeAnswer answer) {
        List<Object> all = new ArrayList<>();
        for (Item item : answer.items()) {
            if (item.fields().get(NAME) instanceof List<?> values) {
                all.addAll(values);
            }
        }
        return new FieldValues(all.stream().limit(MOST_SHOWN).map(FieldTrial::shown).toList(), all.size(),
                answer.errors().stream().map(error -> error.replace(PATH, "field")).toList());
    }

    private static Object shown(Object value) {
        String text = value instanceof String string ? string : Json.text(value);
        return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + " …" : value;
    }
}
