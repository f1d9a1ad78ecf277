package io.trawl.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.MalformedRecordException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every fault of a rule names field, value and rule. */
class RuleFaultsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "`'a['`                                 | .css: 'a[' is not valid: a CSS selector: ",
            "{'css': ''}                            | .css: '' is not valid: a CSS selector: ",
            "{'xpath': '//a['}                      | .xpath: '//a[' is not valid: an XPath 1.0 expression of at most 500 characters",
            "{'xpath': 'nothing()'}                 | .xpath: 'nothing()' is not valid: an XPath 1.0 expression",
            "{'xpath': '//a//b//c//d'}              | .xpath: '//a//b//c//d' is not valid: an XPath 1.0 expression of at most 500 characters, with at most 3 searches such as //",
            "{'xpath': 'a[b[c[d]]]'}                | .xpath: 'a[b[c[d]]]' is not valid: an XPath 1.0 expression",
            "{'json': 'a'}                          | .json: 'a' is not valid: a JSON Pointer such as /items/0/name, or a JSONPath such as $.items[*].name",
            "{'json': '$.a['}                       | .json: '$.a[' is not valid: a JSONPath of at most 500 characters, with at most one .., without =~, and without arguments of functions",
            "{'json': '$.a.append(3)'}              | .json: '$.a.append(3)' is not valid: a JSONPath",
            "{'jsonld': '$..a..b'}                  | .jsonld: '$..a..b' is not valid: a JSONPath",
            "{'jsonld': '$.a[?(@.b =~ /c/)]'}       | .jsonld: '$.a[?(@.b =~ /c/)]' is not valid: a JSONPath",
            "{'regex': '('}                         | .regex: '(' is not valid: a regular expression of RE2: ",
            "{'css': 'a', 'regex': '(?=x)'}         | .regex: '(?=x)' is not valid: a regular expression of RE2: ",
            "{'page': 'body'}                       | .page: 'body' is not valid: one of url, title, description, lang, language, canonical, text, author, date, contentType",
            "{'meta': ' '}                          | .meta: ' ' is not valid: a name",
            "{'css': 'a', 'meta': 'b'}              | : '2 sources' is not valid: one of css, xpath, json",
            "{'type': 'number'}                     | : '0 sources' is not valid: one of css, xpath, json",
            "{'meta': 'a', 'attribute': 'b'}        | .attribute: 'b' is not valid: only with css or xpath",
            "{'css': 'a', 'formats': ['x']}         | .formats: '[x]' is not valid: only with type: date",
            "{'css': 'a', 'type': 'date', 'formats': ['bbb']} | .formats[0]: 'bbb' is not valid: a format of dates, such as d. MMMM uuuu",
            "{'css': 'a', 'locale': 'de'}           | .locale: 'de' is not valid: only with type: number, date or money",
            "{'css': 'a', 'type': 'number', 'locale': 'german'} | .locale: 'german' is not valid: a language with or without a country, such as de or de-CH",
            "{'css': 'a', 'type': 'number', 'default': '0'} | .default: '0' is not valid: a value of the type number",
            "{'css': 'a', 'list': true, 'default': 'x'} | .default: 'x' is not valid: a list of values of the type text",
            "{'css': 'a', 'type': 'html', 'fields': {'b': 'b'}} | .fields: 'an object' is not valid: without type, regex, attribute",
            "{'fields': {'b c': 'b'}}               | .fields.b c: 'b c' is not valid: 1 to 64 letters, digits, _ and -",
            "{'fields': {'b': 'b['}}                | .fields.b.css: 'b[' is not valid: a CSS selector: "})
    void aFaultOfAFieldNamesItWithItsValueAndTheRule(String field, String message) {
        List<Fault> faults = Extraction.faults(Rules.field(field));
        assertThat(faults).singleElement().extracting(Fault::text).asString()
                .startsWith("extract.items[0].fields.x" + message);
        assertThatThrownBy(() -> Extraction.of(Rules.field(field))).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{'type': '1', 'fields': {'a': 'a'}}    | .type: '1' is not valid: 1 to 64 letters",
            "{'fields': {'a': 'a'}}                 | .type: '' is not valid: 1 to 64 letters",
            "{'type': 'page', 'fields': {'a': 'a'}} | .type: 'page' is not valid: 1 to 64 letters, digits, _ and -, the first one a letter or _, and none of page and error",
            "{'type': 't'}                          | .fields: '' is not valid: at least one field",
            "{'type': 't', 'key': ['b'], 'fields': {'a': 'a'}} | .key[0]: 'b' is not valid: the name of a field of the rule, once",
            "{'type': 't', 'key': ['a', 'a'], 'fields': {'a': 'a'}} | .key[1]: 'a' is not valid: the name of a field of the rule, once",
            "{'type': 't', 'fields': {'url': 'a'}}  | .fields.url: 'url' is not valid: another name than those that Trawl gives in items, pages and errors: attempts, bytes, cause, change, changedFields, contentType, crawl, ",
            "{'type': 't', 'fields': {'kind': 'a'}} | .fields.kind: 'kind' is not valid: another name than those that Trawl gives in items, pages and errors: ",
            "{'type': 't', 'fields': {'similarTo': 'a'}} | .fields.similarTo: 'similarTo' is not valid: another name than those that Trawl gives",
            "{'type': 't', 'match': 're:(', 'fields': {'a': 'a'}} | .match: 're:(' is not valid: a regular expression of RE2 after re:",
            "{'type': 't', 'each': 'a[', 'fields': {'a': 'a'}} | .each: 'a[' is not valid: a CSS selector: ",
            "{'type': 't', 'each': 'xpath:][', 'fields': {'a': 'a'}} | .each: '][' is not valid: an XPath 1.0",
            "{'type': 't', 'each': 'json:x', 'fields': {'a': 'a'}} | .each: 'x' is not valid: a JSON Pointer"})
    void aFaultOfARuleNamesItWithItsValueAndTheRule(String rule, String message) {
        assertThat(Extraction.faults(Rules.of(rule))).singleElement().extracting(Fault::text).asString()
                .startsWith("extract.items[0]" + message);
    }

    @Test
    void theNamesThatAreRefusedStandInTheDocumentsAndInTheFault() throws IOException {
        assertThat(ItemSchema.RESERVED).contains("id", "kind", "reason", "type", "ordinal", "noText")
                .doesNotContain("title", "text", "links");
        assertThat(Files.readString(Repository.file("docs/crawl-file.md")).replaceAll("\\s+", " "))
                .contains("`" + String.join(" ", ItemSchema.RESERVED) + "`");
        assertThat(Extraction.faults(Rules.of("{'type': 't', 'fields': {'kind': 'a'}}"))).singleElement()
                .extracting(Fault::rule).asString().endsWith(": " + String.join(", ", ItemSchema.RESERVED));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{'css': 'a', 'type': 'integer'}        | type: 'integer' is not valid: one of text, html, markdown, number, date, money, url",
            "{'css': 'a', 'typ': 'number'}          | typ: 'number' is not valid: one of the fields attribute, css, default,",
            "{'css': 'a', 'list': 'yes'}            | list: 'yes' is not valid: true or false, without quotes",
            "{'css': 'a', 'transform': ['trin']}    | transform[0]: 'trin' is not valid: trim, lower, upper, {replace: [old, new]}",
            "{'css': 'a', 'transform': [{'replace': ['a']}]} | transform[0]: '{replace=[a]}' is not valid: trim, lower, upper",
            "{'css': 'a', 'transform': [{'replace': ['', 'a']}]} | transform[0].replace: '{replace=[, a]}' is not valid: an old text that is not empty",
            "{'css': 'a', 'transform': [{'replace': ['re:(', 'a']}]} | transform[0].replace: 're:(' is not valid: a regular expression of RE2",
            "{'css': 'a', 'transform': [{'split': ''}]} | transform[0].split: '' is not valid: a text that is not empty",
            "null                                   | fields.x: 'null' is not valid: a CSS selector, or an object with its source"})
    void whatCannotBeDecodedIsNamedWithItsPath(String field, String message) {
        assertThatThrownBy(() -> Rules.field(field)).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining(message);
    }

    @Test
    void allFaultsAreNamedAtOnceAndTheirNumberIsBounded() {
        assertThat(Extraction.faults(Rules
                .of("""
                        [{'type': 't', 'fields': {'a': 'a[', 'b': {'xpath': '['}}}, {'type': '', 'each': '[', 'fields': {'c': {'page': 'x'}}}]""")))
                .extracting(Fault::field).containsExactly("extract.items[0].fields.a.css",
                        "extract.items[0].fields.b.xpath", "extract.items[1].type", "extract.items[1].each",
                        "extract.items[1].fields.c.page");
        String rule = "{'type': 't', 'fields': {'a': 'a'}},";
        assertThat(Extraction.faults(Rules.of("[" + rule.repeat(100) + rule.substring(0, rule.length() - 1) + "]")))
                .extracting(Fault::text).containsExactly("extract.items: '101 rules' is not valid: at most 100");
        String deep = "{'fields': {'x': ".repeat(5) + "'a'" + "}}".repeat(5);
        assertThat(Extraction.faults(Rules.field(deep))).singleElement().extracting(Fault::rule)
                .isEqualTo("at most 5 objects within each other");
    }
}
