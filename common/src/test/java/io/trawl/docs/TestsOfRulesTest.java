package io.trawl.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The table of CONTRIBUTING.md which names, for each rule of docs/protocol.md and docs/protocol-*.md, the tests of a
 * commit and of the night that hold it.
 */
class TestsOfRulesTest {
    private static final String HEADING = "\n## Which test holds which rule\n";
    private static final String SAME = "the same";
    private static final List<String> PAGES = List.of("docs/protocol.md", "docs/protocol-politeness.md",
            "docs/protocol-resizing.md", "docs/protocol-sinks.md");
    private static final Pattern RULE = Pattern.compile("(?m)^(?:(\\d+)\\. \\*\\*|- \\*\\*([PCK]\\d+)\\. )");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+) \\| (.+) \\| (.+) \\|$");
    private static final Pattern NUMBERED = Pattern.compile("([PCK]?\\d+) .+");
    private static final Pattern SECTION = Pattern.compile("\\[.+]\\(docs/protocol(?:-\\w+)?\\.md#[\\w-]+\\).*");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)(?:\\.(\\w+))?`");

    /** @param rule its number and some words, or a link to the section that states it */
    private record Row(String rule, String commit, String night) {}

    @Test
    void everyRuleHasOneRow() throws IOException {
        List<String> rules = new ArrayList<>();
        for (String page : PAGES) {
            rules.addAll(rulesOf(page));
        }

        assertThat(numbers()).isNotEmpty().containsExactlyInAnyOrderElementsOf(rules);
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void rowsHaveTheOrderOfTheRulesOfAPage(String page) throws IOException {
        List<String> rules = rulesOf(page);

        assertThat(numbers()).filteredOn(rules::contains).containsExactlyElementsOf(rules);
    }

    @Test
    void aRowWithoutANumberIsThatOfASection() throws IOException {
        assertThat(rows()).extracting(Row::rule).filteredOn(rule -> !NUMBERED.matcher(rule).matches()).isNotEmpty()
                .allMatch(rule -> SECTION.matcher(rule).matches()).doesNotHaveDuplicates();
    }

    @Test
    void everyRowNamesTestsThatExist() throws IOException {
        Map<String, Path> tests = Documents.texts().stream()
                .filter(file -> file.toString().contains("/src/test/") && file.toString().endsWith(".java"))
                .collect(Collectors.toMap(file -> file.getFileName().toString().replace(".java", ""), file -> file,
                        (one, _) -> one));
        List<String> missing = new ArrayList<>();
        for (Row row : rows()) {
            for (String named : named(row)) {
                Matcher test = NAMED.matcher(named);
                if (!test.matches() || !tests.containsKey(test.group(1)) || test.group(2) != null && !Files
                        .readString(requireNonNull(tests.get(test.group(1)))).contains(" " + test.group(2) + "(")) {
                    missing.add(row.rule() + ": " + named);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static List<String> rulesOf(String page) throws IOException {
        return RULE.matcher(read(page)).results().map(rule -> rule.group(1) != null ? rule.group(1) : rule.group(2))
                .toList();
    }

    private static List<String> numbers() throws IOException {
        return rows().stream().map(row -> NUMBERED.matcher(row.rule())).filter(Matcher::matches)
                .map(number -> number.group(1)).toList();
    }

    private static List<String> named(Row row) {
        return Stream.of(row.commit(), row.night().equals(SAME) ? row.commit() : row.night())
                .flatMap(cell -> Stream.of(cell.split(", "))).toList();
    }

    /** Without those of its head. */
    private static List<Row> rows() throws IOException {
        String document = read("CONTRIBUTING.md");
        assertThat(document).containsOnlyOnce(HEADING);
        String section = document.substring(document.indexOf(HEADING) + HEADING.length());
        return ROW.matcher(section.substring(0, section.indexOf("\n## "))).results().skip(1).map(TestsOfRulesTest::row)
                .toList();
    }

    private static Row row(MatchResult cells) {
        return new Row(cells.group(1), cells.group(2), cells.group(3));
    }

    private static String read(String document) throws IOException {
        return Files.readString(Documents.ROOT.resolve(document));
    }
}
