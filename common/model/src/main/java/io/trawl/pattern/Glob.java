package io.trawl.pattern;

/**
 * One glob: {@code **} stands for any characters, {@code *} for any characters but a slash, every other character for
 * itself. Matching takes time in proportion to the lengths of both at most, and never goes back over more than the last
 * two stars: a longer run of an earlier star cannot match more than a longer run of the last one of its kind (R. van
 * Engelen, Fast String Matching with Wildcards, Globs, and Gitignore-Style Globs). Immutable and thread-safe.
 */
public final class Glob {
    private final String text;

    private Glob(String text) {
        this.text = text;
    }

    /** The glob of a text. Each text is one. */
    public static Glob of(String text) {
        return new Glob(text);
    }

    /** Whether it matches the whole text. */
    public boolean matches(CharSequence subject) {
        return matches(subject, 0, subject.length());
    }

    /** Whether it matches this part of the text as a whole. */
    public boolean matches(CharSequence subject, int from, int to) {
        Star any = Star.NONE;
        Star segment = Star.NONE;
        int at = 0;
        int i = from;
        while (i < to || at < text.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                boolean both = text.startsWith("**", at);
                at += both ? 2 : 1;
                any = both ? new Star(at, i) : any;
                segment = both ? Star.NONE : new Star(at, i);
                continue;
            }
            if (i < to && at < text.length() && text.charAt(at) == subject.charAt(i)) {
                at++;
                i++;
                continue;
            }
            // The last star takes one character more, the last double star if the single one cannot.
            if (segment.after >= 0 && segment.end < to && subject.charAt(segment.end) != '/') {
                segment = segment.longer();
                at = segment.after;
                i = segment.end;
            } else if (any.after >= 0 && any.end < to) {
                any = any.longer();
                segment = Star.NONE;
                at = any.after;
                i = any.end;
            } else {
                return false;
            }
        }
        return true;
    }

    /**
     * A star that has been met.
     *
     * @param after where the glob goes on; -1: none was met
     * @param end of what it stands for so far
     */
    private record Star(int after, int end) {
        private static final Star NONE = new Star(-1, 0);

        Star longer() {
            return new Star(after, end + 1);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
