package io.trawl.standalone.print;

import java.util.Map;

/**
 * What standard output can show.
 *
 * @param columns how wide lines should be at most; what goes to a file or a pipe has no limit
 * @param colours whether styles are shown
 */
public record Screen(int columns, boolean colours) {
    /** No terminal: lines are as long as they are, without colours. */
    public static final Screen FILE = new Screen(Integer.MAX_VALUE, false);
    private static final int NARROWEST = 40;
    private static final int USUAL = 100;

    /** What the launcher script says about standard output; Java itself cannot tell. */
    public static Screen ofLauncher() {
        return of(Boolean.getBoolean("trawl.output.terminal"), Integer.getInteger("trawl.columns", USUAL), System.getenv());
    }

    /** The rules: no colours for a file, with {@code NO_COLOR} set (no-color.org) or on a terminal that has none. */
    static Screen of(boolean terminal, int columns, Map<String, String> environment) {
        if (!terminal) {
            return FILE;
        }
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM"));
        return new Screen(Math.max(NARROWEST, columns), colours);
    }

    /** The text in that style, if styles are shown. */
    public String paint(Style style, String text) {
        return colours ? style.around(text) : text;
    }
}
