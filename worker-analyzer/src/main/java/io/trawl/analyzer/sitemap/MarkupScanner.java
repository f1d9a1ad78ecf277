package io.trawl.analyzer.sitemap;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Entities;

/**
 * Reads XML of any quality as a series of tags and texts, in one pass and linear time, and never fails. What has no end
 * ends where the next markup begins: a tag at the next {@code <}, an open comment or CDATA section at the start tag of
 * the next entry. References are those of HTML, with their semicolon; no other entity is known, and nothing is loaded.
 * Not thread-safe.
 */
final class MarkupScanner {
    private static final String COMMENT = "<!--";
    private static final String CDATA = "<![CDATA[";
    private static final String DOCTYPE = "<!DOCTYPE";
    private static final int LONGEST_REFERENCE = 40;
    /** A value without quotes is one of HTML, and begins as a word or a URL does. */
    private static final String NAME_AND_VALUE = "([^\\s=<>\"'/]++)\\s*+=\\s*+(\"[^\"]*+\"|'[^']*+'|[\\w/#.?][^\\s\"'<>=]*+)";
    private static final Pattern ATTRIBUTE = Pattern.compile(NAME_AND_VALUE);
    private static final Pattern ATTRIBUTES = Pattern.compile("(?:\\s++" + NAME_AND_VALUE + ")*+\\s*+");
    private final String in;
    private final Handler handler;
    private final Search commentEnds = new Search("-->");
    private final Search cdataEnds = new Search("]]>");
    private final Search subsetEnds = new Search("]");
    private final Search typeEnds = new Search(">");
    private boolean declaresEntities;
    private int at;

    /** Takes what stands in a document, in its order. */
    interface Handler {
        /** A start tag. @param closed whether it is an end tag, too */
        void start(Tag tag, boolean closed);

        void end(String name);

        /** A text without references. @param whole whether all its characters and references are known */
        void text(String text, boolean whole);

        /** Something that has no end. */
        void broken();

        /** Whether an element is an entry. */
        boolean isEntry(String name);
    }

    /** A start tag. @param name in lower case, with its prefix */
    final class Tag {
        private final String name;
        private final String attributes;

        private Tag(String name, String attributes) {
            this.name = name;
            this.attributes = attributes;
        }

        String name() {
            return name;
        }

        /**
         * The value of an attribute without references; empty if there is none, or one with an unknown reference, or if
         * the tag is not well-formed.
         */
        Optional<String> attribute(String wanted) {
            if (!ATTRIBUTES.matcher(attributes).matches()) {
                return Optional.empty();
            }
            Matcher each = ATTRIBUTE.matcher(attributes);
            while (each.find()) {
                if (each.group(1).equalsIgnoreCase(wanted)) {
                    String value = each.group(2);
                    boolean quoted = value.charAt(0) == '"' || value.charAt(0) == '\'';
                    return decoded(quoted ? value.substring(1, value.length() - 1) : value)
                            .filter(MarkupScanner::known);
                }
            }
            return Optional.empty();
        }
    }

    private MarkupScanner(String text, Handler handler) {
        this.in = text;
        this.handler = handler;
    }

    static void scan(String text, Handler handler) {
        MarkupScanner scanner = new MarkupScanner(text, handler);
        while (scanner.at < text.length()) {
            scanner.step();
        }
    }

    private void step() {
        if (in.startsWith(COMMENT, at)) {
            section(COMMENT, commentEnds);
        } else if (in.startsWith(CDATA, at)) {
            String text = section(CDATA, cdataEnds);
            handler.text(text, known(text));
        } else if (in.startsWith("<!", at)) {
            declaration();
        } else if (in.startsWith("<?", at)) {
            tagEnd(at + 2).ifPresent(_ -> {
                // Says nothing about entries.
            });
        } else if (in.startsWith("</", at) && nameStart(at + 2)) {
            int begin = at + 2;
            tagEnd(begin).ifPresent(tag -> handler.end(name(begin)));
        } else if (nameStart(at + 1) && in.charAt(at) == '<') {
            startTag();
        } else {
            int end = in.indexOf('<', at + 1);
            String raw = in.substring(at, end < 0 ? in.length() : end);
            at += raw.length();
            Optional<String> text = decoded(raw);
            // What XML does not permit in a text is the rest of something else.
            handler.text(text.orElse(raw),
                    text.isPresent() && known(raw) && raw.charAt(0) != '<' && !raw.contains("]]>"));
        }
    }

    /** What was no character in the charset of the file. */
    private static boolean known(String text) {
        return text.indexOf('\uFFFD') < 0;
    }

    /**
     * The content of a comment or CDATA section; empty, and reported, if it is open: it has no end before the next of
     * its kind begins.
     */
    private String section(String open, Search ends) {
        int from = at + open.length();
        int end = ends.from(from);
        if (end >= 0 && in.indexOf(open, from, end) < 0) {
            at = end + 3;
            return in.substring(from, end);
        }
        at = nextEntry(from);
        handler.broken();
        return "";
    }

    private int nextEntry(int from) {
        int i = in.indexOf('<', from);
        while (i >= 0 && !(nameStart(i + 1) && handler.isEntry(name(i + 1)))) {
            i = in.indexOf('<', i + 1);
        }
        return i < 0 ? in.length() : i;
    }

    /** A document type, whose entities stay unknown. */
    private void declaration() {
        int begin = at;
        int end = begin + 2;
        while (end < in.length() && "<>[".indexOf(in.charAt(end)) < 0) {
            end++;
        }
        if (end < in.length() && in.charAt(end) == '[' && in.regionMatches(true, begin, DOCTYPE, 0, DOCTYPE.length())) {
            int close = subsetEnds.from(end);
            int after = close < 0 ? -1 : typeEnds.from(close);
            end = after < 0 ? end : after;
        }
        String type = in.substring(begin, end);
        declaresEntities |= type.contains("<!ENTITY") || type.contains("SYSTEM") || type.contains("PUBLIC");
        boolean open = end == in.length() || in.charAt(end) != '>';
        at = open ? end : end + 1;
        if (open) {
            handler.broken();
        }
    }

    private void startTag() {
        int begin = at + 1;
        String name = name(begin);
        tagEnd(begin + name.length()).ifPresent(inside -> {
            boolean closed = inside.endsWith("/");
            handler.start(
                    new Tag(name.toLowerCase(Locale.ROOT), closed ? inside.substring(0, inside.length() - 1) : inside),
                    closed);
        });
    }

    /**
     * What stands in a tag from an index on, and goes behind it; empty, and reported, if the tag has no end: markup
     * begins within it.
     */
    private Optional<String> tagEnd(int from) {
        char quote = 0;
        char before = ' ';
        for (int i = from; i < in.length(); i++) {
            char c = in.charAt(i);
            if (c == '<') {
                at = i;
                handler.broken();
                return Optional.empty();
            }
            if (c == '>' && quote == 0) {
                at = i + 1;
                return Optional.of(in.substring(from, i));
            }
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (before == '=' && (c == '"' || c == '\'')) {
                quote = c;
            }
            before = space(c) ? before : c;
        }
        at = in.length();
        handler.broken();
        return Optional.empty();
    }

    private boolean nameStart(int i) {
        return i < in.length() && (Character.isLetter(in.charAt(i)) || in.charAt(i) == '_');
    }

    /** The name that begins at an index, as it is written. */
    private String name(int begin) {
        int end = begin;
        while (end < in.length() && !space(in.charAt(end)) && "/><=\"'".indexOf(in.charAt(end)) < 0) {
            end++;
        }
        return in.substring(begin, end);
    }

    private static boolean space(char c) {
        return c <= ' ';
    }

    /**
     * A text without its references: an ampersand that begins none is itself. Empty if one is of no character, or may
     * be of a declared entity.
     */
    private Optional<String> decoded(String raw) {
        int reference = raw.indexOf('&');
        if (reference < 0) {
            return Optional.of(raw);
        }
        StringBuilder out = new StringBuilder(raw.length());
        int copied = 0;
        while (reference >= 0) {
            int end = raw.indexOf(';', reference, Math.min(raw.length(), reference + LONGEST_REFERENCE));
            String name = end < 0 ? "" : raw.substring(reference + 1, end);
            String character = name.startsWith("#") ? numbered(name) : Entities.getByName(name);
            if (!character.isEmpty()) {
                out.append(raw, copied, reference).append(character);
                copied = end + 1;
            } else if (name.startsWith("#")
                    || declaresEntities && !name.isEmpty() && name.chars().allMatch(Character::isLetterOrDigit)) {
                return Optional.empty();
            }
            reference = raw.indexOf('&', Math.max(copied, reference + 1));
        }
        return Optional.of(out.append(raw, copied, raw.length()).toString());
    }

    /** The character of a numeric reference; empty if it is none. */
    private static String numbered(String name) {
        boolean hex = name.startsWith("#x") || name.startsWith("#X");
        try {
            int code = Integer.parseInt(name.substring(hex ? 2 : 1), hex ? 16 : 10);
            return code > 0 && Character.isValidCodePoint(code)
                    && (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE)
                            ? Character.toString(code)
                            : "";
        } catch (NumberFormatException e) {
            return "";
        }
    }

    /** Where a text occurs. Each part of the document is searched once. */
    private final class Search {
        private final String what;
        private int found = Integer.MIN_VALUE;

        Search(String what) {
            this.what = what;
        }

        /** The first occurrence at or after an index that does not fall from call to call; -1 if there is none. */
        int from(int index) {
            if (found != -1 && found < index) {
                found = in.indexOf(what, index);
            }
            return found;
        }
    }
}
