package io.trawl.pattern;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.trawl.model.InvalidValueException;

/**
 * Replaces what a regular expression of RE2 finds. Immutable and thread-safe; takes time in proportion to the text and
 * the result.
 */
public final class TextReplacement {
    /** An empty match at every place must not fill the heap. */
    private static final int LONGEST_RESULT = 4 << 20;
    private static final int LONGEST = 2_000;
    private final Pattern pattern;
    private final String with;

    private TextReplacement(Pattern pattern, String with) {
        this.pattern = pattern;
        this.with = with;
    }

    /**
     * Reads both parts.
     *
     * @throws InvalidValueException of the field {@code pattern} or {@code with}, if it cannot be read
     */
    public static TextReplacement parse(String pattern, String with) {
        if (pattern.isEmpty() || pattern.length() > LONGEST) {
            throw new InvalidValueException("pattern", pattern, "1 to " + LONGEST + " characters");
        }
        if (with.length() > LONGEST) {
            throw new InvalidValueException("with", with, "at most " + LONGEST + " characters");
        }
        Pattern compiled;
        try {
            compiled = Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new InvalidValueException("pattern", pattern, "a regular expression of RE2: " + e.getMessage());
        }
        try {
            // The alternative matches the empty text, so the replacement is read.
            Pattern.compile("(?:" + pattern + ")|").matcher("").replaceAll(with);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new InvalidValueException("with", with, "a text in which $1 to $" + compiled.groupCount()
                    + " stand for groups of the pattern, and \\$ for a dollar sign");
        }
        return new TextReplacement(compiled, with);
    }

    /** The text with all replacements. @throws ArithmeticException if it becomes too long */
    public String in(String text) {
        Matcher matcher = pattern.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(result, with);
            if (result.length() > LONGEST_RESULT) {
                throw new ArithmeticException("the text becomes longer than " + LONGEST_RESULT + " characters");
            }
        }
        return matcher.appendTail(result).toString();
    }
}
