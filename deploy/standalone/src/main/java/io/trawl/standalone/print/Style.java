package io.trawl.standalone.print;

/** How a word looks; only a terminal shows it. */
public enum Style {
    /** As everything else. */
    PLAIN(""),
    /** Headings. */
    BOLD("1"),
    /** What matters less. */
    DIM("2"),
    /** What is well. */
    GOOD("32"),
    /** What somebody should look at. */
    WARNING("33"),
    /** What is wrong. */
    BAD("31");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /** The text between the codes of ECMA-48 that turn the style on and off. */
    String around(String text) {
        return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
