package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.http.Problem;
import io.trawl.coordinator.seedlist.SeedList;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Whatever a caller sends instead of a definition or of seeds, the problem is in the words of the format, never in
 * those of a library.
 */
class PlainWordsTest {
    private static final List<String> FORBIDDEN = List.of("jackson", "com.fasterxml", "tools.jackson",
            "Cannot deserialize", "Cannot construct", "Cannot coerce", "Unexpected character",
            "Unexpected end-of-input", "Unrecognized token", "java.", "io.trawl", "START_OBJECT", "VALUE_STRING",
            "VALUE_NUMBER", "VALUE_NULL", "VALUE_TRUE", "VALUE_FALSE", "VALUE_EMBEDDED", "snakeyaml",
            "(through reference chain", "`", "Exception", "[Source", "Optional", "token (");
    private static final List<String> PIECES = List.of("null", "true", "7", "2.5", "-1e400", "99999999999999999999",
            "\"text\"", "\"\"", "{}", "[]", "[null]", "{\"url\":7}", "{\"a\":{\"b\":[1]}}", "\"500\"", "nonsense",
            "\"\\ud800\"", "'x'", "\u0000", "{", "}", "[", "]", ",", ":", "\"", "NaN", "\u00e9", "&a", "*a", "\t", "\n",
            "${env:TRAWL_VALUE_X}", "${env:", "!!binary", "<<", "? ", "- ", "---");
    private static final String DOCUMENT = """
            {"seeds":["https://a.org/",{"url":"https://b.org/","priority":1,"headers":{"Accept":"x"},"wait":"2s","metadata":{"a":"b"}}],
             "scope":{"domains":["a.org"]},"limits":{"depth":2,"maxPages":5,"maxTime":"1h"},
             "fetch":{"delay":"500ms","userAgent":"x","profile":"plain","proxy":"http://p:1"},"extract":{"text":true},
             "process":{"failFast":false},"priority":1,"schedule":{"cron":"0 3 * * *","zone":"UTC"},
             "webhooks":[{"url":"https://h.org/","secret":"whsec_x"}]}""";
    private static final CrawlVariables NONE = new CrawlVariables(Map.of());
    private final CoordinatorProblems problems = new CoordinatorProblems();
    private final DefinitionRules rules = new DefinitionRules(new Admission(2048), 3);

    /** One change of a text: a piece instead of what is between two places. */
    private static String changed(String text, int from, int length, int piece) {
        int start = from % (text.length() + 1);
        int end = Math.min(text.length(), start + length);
        // Values are replaced as a whole half of the time, so that the rest stays JSON.
        int colon = text.indexOf(':', start);
        if (length % 2 == 0 && colon > 0) {
            start = colon + 1;
            end = Math.min(text.length(), start + 1);
            while (end < text.length() && ",}]".indexOf(text.charAt(end)) < 0) {
                end++;
            }
        }
        return text.substring(0, start) + PIECES.get(piece % PIECES.size()) + text.substring(end);
    }

    @Property(tries = 1000)
    void noTextOfALibraryReachesACaller(
            @ForAll @Size(min = 1, max = 3) List<@IntRange(min = 0, max = 1_000_000) Integer> places) {
        String json = DOCUMENT;
        for (int place : places) {
            json = changed(json, place, place / 700 % 12, place / 13);
        }
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        for (DefinitionText text : List.of(DefinitionText.json(body), DefinitionText.yaml(body))) {
            plain(json,
                    () -> WrittenDefinition.read(text, NONE).complete(new CrawlId("docs"), rules, Optional.empty()));
        }
        plain(json, () -> WrittenDefinition.patched(CrawlDefinition.of(List.of()), DefinitionText.json(body), NONE));
        plain(json, () -> Json.readBounded(body, Seed[].class));
        plain(json, () -> Json.readBounded(body, Seed.class));
        plain(json, () -> SeedList.of(new ByteArrayInputStream(body), Optional.empty()).next());
    }

    private interface Reading {
        Object read() throws IOException;
    }

    private void plain(String json, Reading reading) {
        try {
            reading.read();
        } catch (IOException | RuntimeException e) {
            Problem problem = problems.problem(e, "/api/v1/crawls/docs");
            assertThat(problem.status()).as("%s: %s", json, e).isEqualTo(400);
            // What the caller has written itself may be anything.
            String own = problem.title() + problem.faults().stream().map(fault -> fault.rule()).toList();
            assertThat(own).as(json).doesNotContainIgnoringCase(FORBIDDEN.toArray(String[]::new));
            assertThat(problem.faults()).as("%s: %s", json, problem).isNotEmpty()
                    .allMatch(fault -> !fault.field().isEmpty() && !fault.rule().isEmpty());
        }
    }
}
