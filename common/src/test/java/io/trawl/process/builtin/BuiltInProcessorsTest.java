package io.trawl.process.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition.ProcessRules;
import io.trawl.model.InvalidValueException;
import io.trawl.process.ProcessorStep;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltInProcessorsTest {
    private static ProcessorStep step(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), ProcessorStep.class);
    }

    @SuppressWarnings("unchecked")
    private static Item item(ItemKind kind, String fields) {
        return new Item("i1", "ki1", "docs/2", kind, "http://h/",
                Json.read(fields.getBytes(StandardCharsets.UTF_8), LinkedHashMap.class));
    }

    private static ProcessedItem run(String step, Item item) throws Exception {
        return BuiltInProcessors.of(step(step)).orElseThrow().process(item);
    }

    private static String fields(String step, String before) throws Exception {
        return Json.text(((ProcessedItem.Kept) run(step, item(ItemKind.PAGE, before))).item().fields());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"rename":{"title":"heading"}} | {"title":"t","x":1} | {"heading":"t","x":1}
            {"rename":{"a":"b","b":"a"}} | {"a":1,"b":2} | {"b":1,"a":2}
            {"rename":{"a":"b"}} | {"a":1,"b":2} | {"b":1}
            {"rename":{"a":"b"}} | {"b":2} | {"b":2}
            {"drop":["links","none"]} | {"title":"t","links":[]} | {"title":"t"}
            {"keep":["title"]} | {"title":"t","links":[]} | {"title":"t"}
            {"trim":["a","b","c"]} | {"a":" \\u00a0 x y\\n","b":[" x ",7],"c":7} | {"a":"x y","b":["x",7],"c":7}
            {"replace":{"field":"a","pattern":"\\\\s+","with":" "}} | {"a":"x  y\\n z"} | {"a":"x y z"}
            {"replace":{"field":"a","pattern":"(\\\\w+)@(?P<at>\\\\w+)","with":"${at}:$1"}} | {"a":"me@home"} | {"a":"home:me"}
            {"number":{"field":"a"}} | {"a":"1,234.5"} | {"a":1234.5}
            {"number":{"field":"a","locale":"de"}} | {"a":"1.234,50 €"} | {"a":1234.5}
            {"number":{"field":"a","locale":"de"}} | {"a":"1.234"} | {"a":1234}
            {"number":{"field":"a","locale":"fr"}} | {"a":"$ 1 234,5"} | {"a":1234.5}
            {"number":{"field":"a"}} | {"a":"-7"} | {"a":-7}
            {"number":{"field":"a"}} | {"a":7} | {"a":7}
            {"number":{"field":"a"}} | {"a":["1","2.50"]} | {"a":[1,2.5]}
            {"date":{"field":"a"}} | {"a":"2026-01-31"} | {"a":"2026-01-31"}
            {"date":{"field":"a"}} | {"a":"2026-01-31T10:00:00+02:00"} | {"a":"2026-01-31T08:00:00.000Z"}
            {"date":{"field":"a"}} | {"a":"Sat, 31 Jan 2026 08:00:00 GMT"} | {"a":"2026-01-31T08:00:00.000Z"}
            {"date":{"field":"a","formats":["yyyy","d. MMMM yyyy"],"locale":"de"}} | {"a":" 3. märz 2026"} | {"a":"2026-03-03"}
            {"date":{"field":"a","formats":["dd.MM.yyyy HH:mm"],"zone":"Europe/Berlin"}} | {"a":"31.01.2026 09:00"} | {"a":"2026-01-31T08:00:00.000Z"}
            {"set":{"source":"docs","n":[1,{"b":true}]}} | {"source":1,"x":2} | {"source":"docs","x":2,"n":[1,{"b":true}]}
            """)
    void aPageIsChanged(String step, String before, String after) throws Exception {
        assertThat(fields(step, before)).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"rename":{"cause":"why"}}
            {"keep":["title"]}
            {"set":{"cause":"x"}}
            {"require":"false"}
            {"number":{"field":"cause"}}
            """)
    void anErrorPassesAsItIs(String step) throws Exception {
        Item error = item(ItemKind.ERROR, "{\"kind\":\"FAILURE\",\"cause\":\"silent\"}");
        assertThat(run(step, error)).isEqualTo(ProcessedItem.keep(error));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"number":{"field":"a"}} | {"a":"twelve"} | a: 'twelve' is not valid: a number as written in the locale en
            {"number":{"field":"a","locale":"de"}} | {"a":"1.2.3"} | a: '1.2.3' is not valid: a number as written in the locale de
            {"number":{"field":"a"}} | {"a":"1E999"} | a: '1E999' is not valid: a number as written in the locale en
            {"number":{"field":"a"}} | {"a":""} | a: '' is not valid: a number as written in the locale en
            {"date":{"field":"a","formats":["yyyy-MM-dd"]}} | {"a":"yesterday"} | a: 'yesterday' is not valid: a date in ISO 8601 or RFC 1123 or as yyyy-MM-dd in the locale en
            """)
    void aTextThatIsNoneFailsTheItem(String step, String before, String cause) {
        assertThatThrownBy(() -> fields(step, before)).hasMessage(cause);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            item.depth < 3 && size(item.text) > 2 | true
            item.depth < 2.5 | true
            item.depth > 2 | false
            item.gone < 3 | false
            has(item.gone) | false
            !(has(item.gone) && item.depth == 3) | true
            item.text < 3 | false
            item.text.matches('^[a-z]+$') | true
            item.text.matches('(') | false
            'b' in item.list && item.list[0] == 'a' | true
            item.none == null && item.map.k == 1 | true
            item.crawl == 'docs' && item.epoch == 2 && item.url.startsWith('http://h') | true
            timestamp(item.at) > timestamp('2026-01-01T00:00:00Z') | true
            1 / 0 == 1 | false
            item.flag | true
            """)
    void aConditionHoldsOrDropsThePage(String condition, boolean holds) throws Exception {
        Item page = item(ItemKind.PAGE,
                """
                        {"depth":2,"text":"abc","list":["a","b"],"none":null,"map":{"k":1},"at":"2026-02-01T00:00:00.000Z","flag":true}""");
        assertThat(run(Json.text(Map.of("require", condition)), page))
                .isEqualTo(holds ? ProcessedItem.keep(page) : ProcessedItem.drop(condition));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {} | name: '' is not valid: the name of an item processor, or one of date, drop, keep, name, number, rename, replace, require, set, similar, trim, unique
            {"drop":["a"],"keep":["b"]} | name: 'drop, keep' is not valid: the name of an item processor, or one of date, drop, keep, name, number, rename, replace, require, set, similar, trim, unique
            {"drop":[]} | drop: '0' is not valid: 1 to 100 fields
            {"drop":["url"]} | drop: 'url' is not valid: not a field that every item keeps: id, key, crawl, epoch, url, kind
            {"rename":{"a":"id"}} | rename: 'id' is not valid: not a field that every item keeps: id, key, crawl, epoch, url, kind
            {"rename":{"a":"c","b":"c"}} | rename: '{a=c, b=c}' is not valid: another new name for each field
            {"trim":[" "]} | trim: ' ' is not valid: names of 1 to 100 characters
            {"set":{"a":null}} | set.a: 'null' is not valid: a text, a number, true, false, or a list or an object of them
            {"replace":{"field":"a","pattern":"(","with":""}} | replace.pattern: '(' is not valid: a regular expression of RE2: error parsing regexp: missing closing ): `(`
            {"replace":{"field":"a","pattern":"x(y)","with":"$2"}} | replace.with: '$2' is not valid: a text in which $1 to $1 stand for groups of the pattern, and \\$ for a dollar sign
            {"number":{"field":"a","locale":"xx"}} | number.locale: 'xx' is not valid: a language with or without a country, such as de or de-CH
            {"date":{"field":"a","formats":["dd.MM.yyyy","bb"]}} | date.formats[1]: 'bb' is not valid: a format of dates, such as d. MMMM uuuu or dd/MM/uuuu HH:mm
            {"date":{"field":"a","zone":"Berlin"}} | date.zone: 'Berlin' is not valid: a time zone such as Europe/Berlin
            {"require":""} | require: '' is not valid: an expression of CEL of 1 to 2000 characters
            {"require":"itm.depth < 3"} | require: 'itm.depth < 3' is not valid: an expression of CEL: line 1, column 1: undeclared reference to 'itm' (in container '')
            {"require":"size(item.text)"} | require: 'size(item.text)' is not valid: an expression of CEL that is true or false, not of the type int
            {"require":"item.list.exists(x, true)"} | require: 'item.list.exists(x, true)' is not valid: an expression of CEL: line 1, column 17: undeclared reference to 'exists' (in container '')
            {"unique":[]} | unique: '0' is not valid: 1 to 100 fields
            """)
    void aFaultNamesFieldValueAndRule(String json, String fault) {
        ProcessorStep step = step(json);
        assertThatThrownBy(() -> {
            BuiltInProcessors.of(step);
            BuiltInProcessors.content(step);
        }).isInstanceOf(InvalidValueException.class).hasMessage(fault);
    }

    @Test
    void anElementIsWrittenAsItWasRead() {
        String json = """
                {"failFast":true,"processors":["word-count",{"rename":{"a":"b"}},{"replace":{"field":"a","pattern":"x","with":""}},\
                {"number":{"field":"a","locale":"de"}},{"set":{"z":1,"a":[true]}},{"unique":["a"]}]}""";
        assertThat(Json.text(Json.read(json.getBytes(StandardCharsets.UTF_8), ProcessRules.class))).isEqualTo(json);
    }

    @Test
    void aReplacementDoesNotFillTheHeap() {
        String before = Json.text(Map.of("a", "x".repeat(10_000)));
        assertThatThrownBy(() -> fields(
                Json.text(Map.of("replace", Map.of("field", "a", "pattern", "x?", "with", "y".repeat(2000)))), before))
                .isInstanceOf(ArithmeticException.class).hasMessage("the text becomes longer than 4194304 characters");
    }

    @Test
    void itemsWithTheSameValuesHaveOneContent() {
        ItemContent content = BuiltInProcessors.content(step("{\"unique\":[\"a\",\"b\"]}")).orElseThrow();
        var one = content.of(item(ItemKind.PAGE, "{\"a\":\"x\",\"c\":1}"));
        assertThat(one).isPresent().isEqualTo(content.of(item(ItemKind.PAGE, "{\"c\":2,\"a\":\"x\"}")));
        assertThat(one).isNotEqualTo(content.of(item(ItemKind.PAGE, "{\"b\":\"x\"}")));
        assertThat(one).isNotEqualTo(BuiltInProcessors.content(step("{\"unique\":[\"a\",\"d\"]}")).orElseThrow()
                .of(item(ItemKind.PAGE, "{\"a\":\"x\"}")));
        assertThat(content.of(item(ItemKind.PAGE, "{\"c\":1}"))).as("none of the fields").isEmpty();
        assertThat(content.of(item(ItemKind.ERROR, "{\"a\":\"x\"}"))).as("an error").isEmpty();
    }

    @Provide
    Arbitrary<List<String>> steps() {
        return Arbitraries
                .of("{\"rename\":{\"a\":\"b\",\"c\":\"a\"}}", "{\"drop\":[\"a\"]}", "{\"keep\":[\"a\",\"b\"]}",
                        "{\"trim\":[\"a\",\"b\"]}",
                        "{\"replace\":{\"field\":\"a\",\"pattern\":\"(.)|x*\",\"with\":\"<$1>\"}}",
                        "{\"number\":{\"field\":\"a\"}}", "{\"number\":{\"field\":\"b\",\"locale\":\"fr\"}}",
                        "{\"date\":{\"field\":\"a\"}}",
                        "{\"date\":{\"field\":\"b\",\"formats\":[\"d. MMMM yyyy\",\"HH:mm\"],\"locale\":\"de\"}}",
                        "{\"set\":{\"a\":\"1.5\",\"b\":[\" x \"]}}",
                        "{\"require\":\"item.a > 1 || size(item.b) < 3 || item.b.matches(item.a)\"}")
                .list().ofMaxSize(6);
    }

    @Provide
    Arbitrary<Map<String, Object>> values() {
        Arbitrary<Object> scalar = Arbitraries.oneOf(Arbitraries.strings().ofMaxLength(20).map(Object.class::cast),
                Arbitraries.strings().numeric().withChars(".,-E €\u00a0").ofMaxLength(12).map(Object.class::cast),
                Arbitraries.integers().map(Object.class::cast), Arbitraries.bigIntegers().map(Object.class::cast),
                Arbitraries.doubles().map(Object.class::cast), Arbitraries.of(true, false).map(Object.class::cast));
        Arbitrary<Object> value = Arbitraries.oneOf(scalar, scalar.list().ofMaxSize(3).map(Object.class::cast),
                scalar.map(v -> (Object) Map.of("k", v)));
        return Arbitraries.maps(Arbitraries.of("a", "b", "c"), value);
    }

    /** A failure is an exception that the chain knows; an item that has passed can be written. */
    @Property(tries = 2000)
    void anyChainOfProcessorsKeepsDropsOrFailsAnyItemAndNothingElse(@ForAll("steps") List<String> chain,
            @ForAll("values") Map<String, Object> fields) throws Exception {
        Item current = new Item("i1", "ki1", "docs/2", ItemKind.PAGE, "http://h/", new HashMap<>(fields));
        List<String> failures = new ArrayList<>();
        for (String json : chain) {
            ItemProcessor processor = BuiltInProcessors.of(step(json)).orElseThrow();
            try {
                if (!(processor.process(current) instanceof ProcessedItem.Kept(Item next))) {
                    return;
                }
                assertThat(next.id()).isEqualTo(current.id());
                current = next;
            } catch (InvalidValueException | ArithmeticException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        assertThat(Json.text(current.fields())).isNotEmpty();
        assertThat(failures).allMatch(text -> text.matches("(?s)([ab]:|the text becomes) .*"));
    }
}
