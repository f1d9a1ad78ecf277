package io.trawl.coordinator.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Screen NARROW = new Screen(30, false);

    private static Table table() {
        return new Table(Column.words("NAME"), Column.numbers("PAGES"), Column.text("URL"));
    }

    @Test
    void numbersAreRightAlignedAndNoLineEndsWithBlanks() {
        List<String> lines = table().row("docs", "12,345", "http://a.example/").row("a", "7", "").lines(Screen.FILE);
        assertThat(lines).containsExactly("NAME   PAGES  URL", "docs  12,345  http://a.example/", "a          7");
    }

    @Test
    void onlyFlexibleColumnsAreCutWhereThereIsNoRoom() {
        List<String> lines = table().row("docs", "12,345", "http://a.example/a/long/path").lines(NARROW);
        assertThat(lines).containsExactly("NAME   PAGES  URL", "docs  12,345  http://a.exampl…")
                .allMatch(line -> line.length() <= 30);
    }

    @Test
    void outputToAFileIsNeverCut() {
        String url = "http://a.example/" + "x".repeat(500);
        assertThat(table().row("docs", "1", url).lines(Screen.FILE).getLast()).endsWith(url);
    }

    @Test
    void rowsMayEndEarly() {
        assertThat(table().row("docs").lines(Screen.FILE)).containsExactly("NAME  PAGES  URL", "docs");
    }

    @Test
    void aTableWithoutTitlesHasNoLineForThem() {
        assertThat(new Table(Column.words(""), Column.numbers("")).row("pages", "7").lines(Screen.FILE))
                .containsExactly("pages  7");
    }

    @Test
    void wideCharactersTakeTwoColumns() {
        List<String> lines = new Table(Column.words(""), Column.words("")).row("日本", "x").row("abcd", "y")
                .lines(Screen.FILE);
        assertThat(lines).containsExactly("日本  x", "abcd  y");
    }

    @Test
    void coloursTakeNoRoom() {
        Table table = new Table(Column.words(""), Column.words("")).row(Cell.of("bad", Style.BAD), Cell.of("x"))
                .row(Cell.of("longer"), Cell.of("y"));
        assertThat(table.lines(new Screen(80, true))).containsExactly("\u001b[31mbad\u001b[0m     x", "longer  y");
        assertThat(table.lines(new Screen(80, false))).containsExactly("bad     x", "longer  y");
    }

    @Test
    void controlCharactersAreReplaced() {
        String hostile = "\u001b]0;owned\u0007a\nb\u009b31m\u202eevil\u2028";
        assertThat(table().row(hostile).lines(Screen.FILE).getLast())
                .isEqualTo("\ufffd]0;owned\ufffda b\ufffd31m\ufffdevil\ufffd");
    }
}
