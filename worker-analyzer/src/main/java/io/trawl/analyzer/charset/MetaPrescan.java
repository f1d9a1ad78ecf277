package io.trawl.analyzer.charset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.trawl.charset.WebCharset;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the charset that a document declares, in its bytes: the XML declaration, or a {@code meta} element (HTML
 * standard, prescan a byte stream to determine its encoding). What scripts, styles and texts without markup contain is
 * no element, as in the parser that would find a late declaration. One pass. Not thread-safe.
 */
final class MetaPrescan {
    private static final Pattern IN_XML = Pattern
            .compile("^\\s*+<\\?xml[^>]*?encoding\\s*+=\\s*+[\"']\\s*+([^\\s\"'>]++)", Pattern.CASE_INSENSITIVE);
    private static final Pattern IN_CONTENT = Pattern
            .compile("charset\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s;\"']++))", Pattern.CASE_INSENSITIVE);
    private static final int LONGEST_XML = 1024;
    private static final int LONGEST_VALUE = 1024;
    private static final Set<String> WITHOUT_MARKUP = Set.of("script", "style", "title", "textarea", "xmp", "noembed",
            "noframes");
    private final byte[] in;
    private final int end;
    /** Those of the {@code meta} element that is read. */
    private final Map<String, String> attributes = new HashMap<>();
    private int at;

    private MetaPrescan(byte[] in, int end) {
        this.in = in;
        this.end = end;
    }

    /** The charset, if it is known. @param end where the search ends */
    static Optional<Charset> declared(byte[] body, int end) {
        if (end >= 6 && body[0] == '<' && body[1] == 0 && body[2] == '?' && body[3] == 0 && body[4] == 'x'
                && body[5] == 0) {
            return Optional.of(UTF_16LE);
        }
        if (end >= 6 && body[0] == 0 && body[1] == '<' && body[2] == 0 && body[3] == '?' && body[4] == 0
                && body[5] == 'x') {
            return Optional.of(UTF_16BE);
        }
        Matcher xml = IN_XML.matcher(new String(body, 0, Math.min(end, LONGEST_XML), ISO_8859_1));
        Optional<Charset> declared = xml.find() ? WebCharset.forLabel(xml.group(1)) : Optional.empty();
        return declared.map(MetaPrescan::readable).or(() -> new MetaPrescan(body, end).scan());
    }

    /** A declaration that is readable as ASCII proves that the page is not in UTF-16. */
    private static Charset readable(Charset charset) {
        return charset.name().startsWith("UTF-16") ? UTF_8 : charset;
    }

    private Optional<Charset> scan() {
        while (find('<')) {
            if (follows("<!--")) {
                commentEnd();
            } else if (at + 1 < end
                    && (letter(in[at + 1]) || in[at + 1] == '/' && at + 2 < end && letter(in[at + 2]))) {
                Optional<Charset> found = tag();
                if (found.isPresent()) {
                    return found;
                }
            } else if (at + 1 < end && (in[at + 1] == '!' || in[at + 1] == '/' || in[at + 1] == '?')) {
                find('>');
            } else {
                at++;
            }
        }
        return Optional.empty();
    }

    /** Goes to the next such byte; returns whether there is one. */
    private boolean find(char c) {
        while (at < end && in[at] != c) {
            at++;
        }
        return at < end;
    }

    private boolean follows(String text) {
        if (at + text.length() > end) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (lower(in[at + i]) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The dashes of the end may be those of the beginning. */
    private void commentEnd() {
        at += 2;
        while (find('-')) {
            if (follows("-->")) {
                at += 3;
                return;
            }
            at++;
        }
    }

    private Optional<Charset> tag() {
        boolean closing = in[at + 1] == '/';
        at += closing ? 2 : 1;
        int begin = at;
        while (at < end && !space(in[at]) && in[at] != '>' && in[at] != '/') {
            at++;
        }
        String name = at - begin > 10 ? "" : lower(begin, at);
        boolean meta = !closing && name.equals("meta");
        attributes.clear();
        while (attribute(meta)) {
            // The first of several with one name counts.
        }
        if (!closing && WITHOUT_MARKUP.contains(name)) {
            String close = "</" + name;
            while (find('<') && !follows(close)) {
                at++;
            }
        }
        return meta ? charset() : Optional.empty();
    }

    private Optional<Charset> charset() {
        Optional<String> label = Optional.ofNullable(attributes.get("charset"));
        if (label.isEmpty() && attributes.getOrDefault("http-equiv", "").equalsIgnoreCase("content-type")) {
            Matcher content = IN_CONTENT.matcher(attributes.getOrDefault("content", ""));
            label = content.find()
                    ? Optional.ofNullable(content.group(1)).or(() -> Optional.ofNullable(content.group(2)))
                            .or(() -> Optional.ofNullable(content.group(3)))
                    : Optional.empty();
        }
        return label.flatMap(WebCharset::forLabel).map(MetaPrescan::readable)
                .map(charset -> charset.equals(WebCharset.USER_DEFINED) ? WebCharset.WINDOWS_1252 : charset);
    }

    /**
     * Reads an attribute (HTML standard, get an attribute), and keeps it if it is wanted; returns whether there was
     * one.
     */
    private boolean attribute(boolean wanted) {
        while (at < end && (space(in[at]) || in[at] == '/')) {
            at++;
        }
        if (at >= end || in[at] == '>') {
            return false;
        }
        int begin = at++;
        while (at < end && !space(in[at]) && in[at] != '=' && in[at] != '>' && in[at] != '/') {
            at++;
        }
        int nameEnd = at;
        skipSpace();
        String value = at < end && in[at] == '=' ? value(wanted) : "";
        if (wanted) {
            attributes.putIfAbsent(lower(begin, nameEnd), value);
        }
        return true;
    }

    private String value(boolean wanted) {
        at++;
        skipSpace();
        boolean quoted = at < end && (in[at] == '"' || in[at] == '\'');
        int begin = at;
        if (quoted) {
            begin++;
            find((char) in[at++]);
        } else {
            while (at < end && !space(in[at]) && in[at] != '>') {
                at++;
            }
        }
        String value = wanted ? text(begin, at) : "";
        at += quoted ? 1 : 0;
        return value;
    }

    private void skipSpace() {
        while (at < end && space(in[at])) {
            at++;
        }
    }

    private String text(int begin, int close) {
        return new String(in, begin, Math.clamp(close - begin, 0, LONGEST_VALUE), ISO_8859_1);
    }

    private String lower(int begin, int close) {
        return text(begin, close).toLowerCase(Locale.ROOT);
    }

    private static int lower(byte b) {
        return b >= 'A' && b <= 'Z' ? b + 32 : b;
    }

    private static boolean letter(byte b) {
        int c = lower(b);
        return c >= 'a' && c <= 'z';
    }

    private static boolean space(byte b) {
        return b == ' ' || b == '\n' || b == '\t' || b == '\r' || b == '\f';
    }
}
