package io.trawl.direct;

import io.trawl.api.Item;
import io.trawl.definition.CrawlDefinition.ProcessRules;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.List;

/**
 * Which items a pipeline is to process without storing them, by {@code POST /process}. The answer is a
 * {@link ProcessAnswer}.
 *
 * @param rules of the crawl
 */
public record ProcessCall(ProcessRules rules, List<Item> items) {
    /** Where it is asked. */
    public static final String PATH = "/process";

    /** Copies the items. @throws io.trawl.model.InvalidValueException if a field is absent */
    public ProcessCall {
        FieldRules.present("rules", rules);
        FieldRules.present("items", items);
        items = List.copyOf(items);
    }

    /**
     * What became of them.
     *
     * @param items as the item processors leave them
     * @param dropped why the others would not be stored, for people
     * @param errors the failures of processors, for people
     */
    public record ProcessAnswer(List<Item> items, List<String> dropped, List<String> errors) {
        /** Copies the lists. */
        public ProcessAnswer {
            items = List.copyOf(items);
            dropped = List.copyOf(dropped);
            errors = List.copyOf(errors);
        }
    }
}
