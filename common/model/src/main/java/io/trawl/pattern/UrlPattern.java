package io.trawl.pattern;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.trawl.model.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A pattern of URLs in a crawl file. Its first characters say what it is about:
 *
 * <table>
 * <caption>Forms</caption>
 * <tr>
 * <td>{@code https://docs.example.org/3/**}</td>
 * <td>the whole URL; without a path, every path of the host</td>
 * </tr>
 * <tr>
 * <td>{@code docs.example.org/3/**}, {@code *.example.org}</td>
 * <td>host and path, with any scheme and port</td>
 * </tr>
 * <tr>
 * <td>{@code /3/**}</td>
 * <td>the path, on every host</td>
 * </tr>
 * <tr>
 * <td>{@code re:/page/[0-9]+$}</td>
 * <td>a regular expression of RE2, found anywhere in the URL</td>
 * </tr>
 * </table>
 *
 * <p>
 * {@code **} stands for any characters, {@code *} for any but a slash, <code>{a,b}</code> for one of these texts,
 * everything else for itself. The query counts only for a pattern with a question mark, and in a whole URL. Other
 * characters than ASCII stand for their percent-encoded bytes of UTF-8, as in URLs in normal form. Immutable and
 * thread-safe; matching takes no exponential time.
 */
public final class UrlPattern {
    private static final String REGEX = "re:";
    private static final int LONGEST = 2_000;
    private static final int MOST_ALTERNATIVES = 100;
    private final String text;
    private final Subject subject;
    private final List<Glob> globs;
    private final Pattern regex;
    /** Every URL that the regular expression matches contains it: the search for it is a hundred times faster. */
    private final String literal;

    /** What a pattern is compared with. */
    private enum Subject {
        REGEX, URL, SERVER, PATH
    }

    private UrlPattern(String text, Subject subject, List<Glob> globs, Pattern regex) {
        this.text = text;
        this.subject = subject;
        this.globs = globs;
        this.regex = regex;
        this.literal = subject == Subject.REGEX ? RequiredLiteral.of(regex.pattern()) : "";
    }

    /**
     * Reads a pattern.
     *
     * @throws InvalidValueException if it is empty or too long, or its regular expression or its braces cannot be read
     */
    public static UrlPattern parse(String text) {
        if (text.isBlank() || !text.equals(text.strip()) || text.length() > LONGEST) {
            throw invalid(text, "1 to " + LONGEST + " characters, without blanks around them");
        }
        if (text.startsWith(REGEX)) {
            try {
                return new UrlPattern(text, Subject.REGEX, List.of(), Pattern.compile(text.substring(REGEX.length())));
            } catch (PatternSyntaxException e) {
                throw invalid(text, "a regular expression of RE2 after " + REGEX + ": " + e.getMessage());
            }
        }
        return glob(text);
    }

    /** The same for a value of a document: the field of a fault is that of the value. */
    @JsonCreator
    static UrlPattern ofField(String text) {
        try {
            return parse(text);
        } catch (InvalidValueException e) {
            throw new InvalidValueException("", e.value(), e.rule());
        }
    }

    private static UrlPattern glob(String text) {
        int scheme = text.indexOf("://");
        Subject subject = text.startsWith("/") ? Subject.PATH : scheme > 0 ? Subject.URL : Subject.SERVER;
        int server = subject == Subject.URL ? scheme + 3 : 0;
        int path = text.indexOf('/', server);
        if (path < 0) {
            path = text.length();
        }
        String whole = text.substring(0, path).toLowerCase(Locale.ROOT)
                + (path == text.length() ? "/**" : encoded(text.substring(path)));
        List<String> alternatives = new ArrayList<>();
        expand(text, whole, alternatives);
        return new UrlPattern(text, subject, alternatives.stream().map(Glob::of).toList(), NEVER);
    }

    private static final Pattern NEVER = Pattern.compile("$^");

    private static void expand(String text, String glob, List<String> into) {
        int open = glob.indexOf('{');
        int close = glob.indexOf('}', open + 1);
        if (open < 0 && close < 0) {
            if (into.size() == MOST_ALTERNATIVES) {
                throw invalid(text, "at most " + MOST_ALTERNATIVES + " alternatives");
            }
            into.add(glob);
            return;
        }
        if (open < 0 || close < 0 || glob.substring(open + 1, close).indexOf('{') >= 0) {
            throw invalid(text, "alternatives such as {a,b}, not one within another");
        }
        for (String alternative : glob.substring(open + 1, close).split(",", -1)) {
            expand(text, glob.substring(0, open) + alternative + glob.substring(close + 1), into);
        }
    }

    private static String encoded(String path) {
        StringBuilder ascii = new StringBuilder(path.length());
        path.codePoints().forEach(c -> {
            if (c < 128) {
                ascii.append((char) c);
            } else {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    ascii.append(String.format(Locale.ROOT, "%%%02X", b));
                }
            }
        });
        return ascii.toString();
    }

    private static InvalidValueException invalid(String text, String rule) {
        return new InvalidValueException("pattern", text, rule);
    }

    /** Whether it matches a URL. */
    public boolean matches(UrlParts url) {
        if (subject == Subject.REGEX) {
            return url.text().contains(literal) && regex.matcher(url.text()).find();
        }
        for (Glob glob : globs) {
            if (matches(glob, url)) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(Glob glob, UrlParts url) {
        int end = subject == Subject.URL || text.indexOf('?') >= 0 ? url.text().length() : url.query();
        return switch (subject) {
            case URL -> glob.matches(url.text());
            case PATH -> glob.matches(url.text(), url.path(), end);
            case SERVER -> url.hostEnd() == url.path()
                    ? glob.matches(url.text(), url.host(), end)
                    : glob.matches(
                            url.text().substring(url.host(), url.hostEnd()) + url.text().substring(url.path(), end));
            case REGEX -> throw new IllegalStateException("a regular expression is no glob");
        };
    }

    /** Its text, as it was read. */
    @Override
    @JsonValue
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UrlPattern that && that.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
