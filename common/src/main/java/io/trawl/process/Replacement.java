package io.trawl.process;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.function.UnaryOperator;

/**
 * Replaces parts of a text.
 *
 * @param field of the item
 * @param pattern a regular expression of RE2
 * @param with what takes the place of each match; {@code $1} stands for its first group, {@code \$} for a dollar sign
 */
public record Replacement(String field, String pattern, String with) {
    /** An empty match at every place must not fill the heap. */
    private static final int LONGEST_RESULT = 4 << 20;
    private static final int LONGEST = 2_000;

    /** @throws InvalidValueException if a part is missing */
    public Replacement {
        FieldRules.present("field", field);
        FieldRules.present("pattern", pattern);
        FieldRules.present("with", with);
    }

    /**
     * The function on texts. It takes time in proportion to the text, and throws {@link ArithmeticException} if the text would become too long.
     *
     * @throws InvalidValueException if the pattern or what takes its place cannot be read
     */
    UnaryOperator<String> edit() {
        if (pattern.isEmpty() || pattern.length() > LONGEST) {
            throw new InvalidValueException("replace.pattern", pattern, "1 to " + LONGEST + " characters");
        }
        if (with.length() > LONGEST) {
            throw new InvalidValueException("replace.with", with, "at most " + LONGEST + " characters");
        }
        Pattern compiled;
        try {
            compiled = Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new InvalidValueException("replace.pattern", pattern, "a regular expression of RE2: " + e.getMessage());
        }
        try {
            // The alternative matches the empty text, so the replacement is read.
            Pattern.compile("(?:" + pattern + ")|").matcher("").replaceAll(with);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new InvalidValueException("replace.with", with,
                    "a text in which $1 to $" + compiled.groupCount()
                            + " stand for groups of the pattern, and \\$ for a dollar sign");
        }
        return text -> replaced(compiled.matcher(text));
    }

    private String replaced(Matcher matcher) {
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(result, with);
            if (result.length() > LONGEST_RESULT) {
                throw new ArithmeticException(field + " becomes longer than " + LONGEST_RESULT + " characters");
            }
        }
        return matcher.appendTail(result).toString();
    }
}
