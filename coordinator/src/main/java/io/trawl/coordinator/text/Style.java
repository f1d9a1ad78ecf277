package io.trawl.coordinator.text;

/** The styles of text on a terminal with colours. */
public enum Style {
    /** Default. */
    PLAIN(""),
    /** Headings. */
    BOLD("1"),
    /** Less important. */
    DIM("2"),
    /** Success. */
    GOOD("32"),
    /** Warning. */
    WARNING("33"),
    /** Error. */
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
