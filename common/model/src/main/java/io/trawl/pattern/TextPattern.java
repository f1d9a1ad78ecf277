package io.trawl.pattern;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.trawl.model.InvalidValueException;
import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression of RE2 that is looked for in a text. Immutable and thread-safe; it takes time in proportion to
 * the text.
 */
public final class TextPattern {
    private static final int LONGEST = 2_000;
    private final Pattern pattern;

    private TextPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Reads a regular expression.
     *
     * @throws InvalidValueException if it is empty or too long, or is none of RE2
     */
    @JsonCreator
    public static TextPattern parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            throw new InvalidValueException("pattern", text, "a regular expression of 1 to " + LONGEST + " characters");
        }
        try {
            return new TextPattern(Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            throw new InvalidValueException("pattern", text, "a regular expression of RE2: " + e.getMessage());
        }
    }

    /** Whether the text has a part that matches. */
    public boolean found(CharSequence text) {
        return pattern.matcher(text).find();
    }

    /**
     * What it finds in a text, in order: of each match the first group, if it has a group, else all of it. @param most
     * the number of matches
     */
    public List<String> all(CharSequence text, int most) {
        List<String> all = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        boolean group = pattern.groupCount() > 0;
        while (all.size() < most && matcher.find()) {
            String match = group ? matcher.group(1) : matcher.group();
            if (match != null) {
                all.add(match);
            }
        }
        return all;
    }

    /**
     * The text with other text in the place of each match. @param replacement as it is, without references to groups
     */
    public String replaced(CharSequence text, String replacement) {
        return pattern.matcher(text).replaceAll(Matcher.quoteReplacement(replacement));
    }

    /** Its text, as it was read. */
    @Override
    @JsonValue
    public String toString() {
        return pattern.pattern();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TextPattern that && that.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
