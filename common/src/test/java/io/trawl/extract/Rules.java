package io.trawl.extract;

import io.trawl.extract.rule.ItemRule;
import io.trawl.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Rules in JSON, with apostrophes for quotes. */
final class Rules {
    private Rules() {}

    /** One rule, or a list of them in brackets. */
    static List<ItemRule> of(String rules) {
        String json = (rules.startsWith("[") ? rules : "[" + rules + "]").replace('\'', '"');
        return Arrays.asList(Json.readBounded(json.getBytes(StandardCharsets.UTF_8), ItemRule[].class));
    }

    /** A rule with one field {@code x}. */
    static List<ItemRule> field(String field) {
        return of("{'type': 't', 'fields': {'x': " + field + "}}");
    }
}
