package io.trawl.coordinator.text;

/**
 * The capabilities of the output.
 *
 * @param columns the maximum width of lines
 * @param colours whether styles are shown
 */
public record Screen(int columns, boolean colours) {
    /** Not a terminal: unlimited width, without colours. */
    public static final Screen FILE = new Screen(Integer.MAX_VALUE, false);

    /** The same without a limit of the width. */
    public Screen unlimited() {
        return new Screen(FILE.columns(), colours);
    }

    /** Applies a style, if colours are shown. */
    public String paint(Style style, String text) {
        return colours ? style.around(text) : text;
    }
}
