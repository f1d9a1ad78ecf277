package io.trawl.analyzer.extract;

import java.util.function.Function;

/** Pages that make far more nodes or attributes than their size suggests, up to any size. */
enum DomBomb {
    /** Each paragraph reopens the fonts that the first one left open. */
    REOPENED_FONTS(length -> repeat("<p>" + "<font>".repeat(14), "<p>x", length)), DIFFERENT_FONTS(
            length -> repeat("<p>" + numbered("<font size=%d>", 14), "<p>x", length)),
    /** Each reopened element has copies of all attributes. */
    REOPENED_ATTRIBUTES(length -> repeat("<p>" + ("<b " + numbered("a%d ", 400) + ">").repeat(12), "<p>x",
            length)), REOPENED_IN_DEFINITIONS(length -> repeat("", "<dt><b>", length)), REOPENED_IN_CELLS(
                    length -> repeat("<table>" + "<b>".repeat(14), "<td>x<td>", length)), ADOPTED(
                            length -> repeat("", "<b><i><u><p></b>x", length)), COMMENTS(
                                    length -> repeat("", "x<!>", length)), COMMENTS_IN_A_TABLE(
                                            length -> repeat("<table><tr><td>", "x<!>", length)), EMPTY_ELEMENTS(
                                                    length -> repeat("", "a<br>", length)), CELLS(
                                                            length -> repeat("<table>", "<tr><td>1", length)), FOSTERED(
                                                                    length -> repeat("<table>", "<b>x",
                                                                            length)), COMMENTS_IN_A_FOSTERED_ELEMENT(
                                                                                    length -> repeat("<table><b>",
                                                                                            "x<!>",
                                                                                            length)), ATTRIBUTES(
                                                                                                    length -> repeat("",
                                                                                                            "<p a b c d e f g h i j k l m>",
                                                                                                            length));

    static final String FIRST = "<a href=/first>first</a>";
    private final Function<Integer, String> page;

    DomBomb(Function<Integer, String> page) {
        this.page = page;
    }

    /** A page of about this many characters that begins with a link. */
    String page(int length) {
        return FIRST + page.apply(length);
    }

    private static String repeat(String begin, String again, int length) {
        return begin + again.repeat(Math.max(0, (length - begin.length()) / again.length()));
    }

    static String numbered(String pattern, int count) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            all.append(pattern.replace("%d", Integer.toString(i)));
        }
        return all.toString();
    }
}
