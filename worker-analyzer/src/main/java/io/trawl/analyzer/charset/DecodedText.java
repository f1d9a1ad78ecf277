package io.trawl.analyzer.parse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.universalchardet.Constants;
import org.mozilla.universalchardet.UniversalDetector;

/**
 * Finds the charset that a page declares: byte order mark, {@code Content-Type}, {@code <meta>} or XML declaration
 * within the first 4096 bytes, as browsers do (WHATWG Encoding and HTML standards). An unknown name counts as no
 * declaration. {@link DecodedText} detects wrong declarations.
 */
final class CharsetDetector {
    /** The charset that browsers use for Latin-1 and ASCII. */
    static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final int PRESCAN = 4096;
    private static final int DETECTED_PREFIX = 1 << 16;
    private static final int BEFORE = 64;
    /** Fewer bytes beyond ASCII occur in a page of any Western language. */
    private static final int FEW = 6;
    // Possessive quantifiers: adjacent runs of white space would be tried in all divisions, in quadratic time.
    private static final Pattern IN_HEADER = Pattern.compile("charset\\s*+=\\s*+[\"']?+\\s*+([^\\s\"';,]++)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern IN_META = Pattern.compile("<meta[\\s/][^<>]*?charset\\s*+=\\s*+[\"']?+\\s*+([^\\s\"'/>;]++)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern IN_XML = Pattern.compile("^\\s*+<\\?xml[^>]*?encoding\\s*+=\\s*+[\"']\\s*+([^\\s\"'>]++)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern COMMENT = Pattern.compile("<!--.*?(?:-->|$)", Pattern.DOTALL);
    /** Labels that the Encoding standard maps to another charset than Java does, or that Java does not know. */
    private static final Map<String, String> LABELS = Map.ofEntries(Map.entry("iso-8859-1", "windows-1252"),
            Map.entry("iso8859-1", "windows-1252"),
            Map.entry("iso_8859-1", "windows-1252"), Map.entry("latin1", "windows-1252"), Map.entry("l1", "windows-1252"),
            Map.entry("us-ascii", "windows-1252"), Map.entry("ascii", "windows-1252"), Map.entry("iso-8859-9", "windows-1254"),
            Map.entry("latin5", "windows-1254"), Map.entry("gb2312", "gb18030"), Map.entry("gbk", "gb18030"),
            Map.entry("x-gbk", "gb18030"),
            Map.entry("ks_c_5601-1987", "x-windows-949"), Map.entry("euc-kr", "x-windows-949"),
            Map.entry("shift_jis", "windows-31j"),
            Map.entry("shift-jis", "windows-31j"), Map.entry("sjis", "windows-31j"), Map.entry("x-sjis", "windows-31j"),
            Map.entry("tis-620", "x-windows-874"), Map.entry("iso-8859-11", "x-windows-874"),
            Map.entry("windows-874", "x-windows-874"),
            Map.entry("utf-16", "utf-16le"), Map.entry("unicode", "utf-16le"), Map.entry("unicode-1-1-utf-8", "utf-8"));

    private CharsetDetector() {}

    /** A byte order mark. */
    record Mark(Charset charset, int length) {}

    /** The byte order mark that the bytes begin with. */
    static Optional<Mark> byteOrderMark(byte[] b) {
        if (b.length >= 3 && (b[0] & 0xFF) == 0xEF && (b[1] & 0xFF) == 0xBB && (b[2] & 0xFF) == 0xBF) {
            return Optional.of(new Mark(StandardCharsets.UTF_8, 3));
        }
        if (b.length >= 2 && (b[0] & 0xFF) == 0xFF && (b[1] & 0xFF) == 0xFE) {
            return Optional.of(new Mark(StandardCharsets.UTF_16LE, 2));
        }
        if (b.length >= 2 && (b[0] & 0xFF) == 0xFE && (b[1] & 0xFF) == 0xFF) {
            return Optional.of(new Mark(StandardCharsets.UTF_16BE, 2));
        }
        return Optional.empty();
    }

    /** The charset that the header or else the document declares, if Java supports it. */
    static Optional<Charset> declared(String contentType, byte[] body) {
        return find(IN_HEADER, contentType).or(() -> inDocument(body));
    }

    private static Optional<Charset> inDocument(byte[] body) {
        String begin = new String(body, 0, Math.min(body.length, PRESCAN), StandardCharsets.ISO_8859_1);
        if (!begin.contains("charset") && !begin.contains("CHARSET") && !begin.contains("encoding")
                && !begin.contains("Charset")) {
            return Optional.empty();
        }
        String visible = begin.contains("<!--") ? COMMENT.matcher(begin).replaceAll("") : begin;
        // A declaration that is readable as ASCII proves that the page is not in UTF-16.
        return find(IN_XML, visible).or(() -> find(IN_META, visible))
                .map(c -> c.name().startsWith("UTF-16") ? StandardCharsets.UTF_8 : c);
    }

    /**
     * The charset of a body that is not UTF-8 and declares nothing true, by the frequencies of its characters (Mozilla's
     * universal detector, linear, over a prefix that begins at the first byte that is not ASCII); windows-1252 if a few
     * such bytes say too little.
     */
    static Charset detected(byte[] body) {
        int start = 0;
        while (start < body.length && body[start] >= 0) {
            start++;
        }
        int from = Math.max(0, start - BEFORE);
        int length = Math.min(body.length - from, DETECTED_PREFIX);
        int foreign = 0;
        for (int i = start; i < from + length; i++) {
            foreign += body[i] < 0 ? 1 : 0;
        }
        if (foreign < FEW) {
            return WINDOWS_1252;
        }
        UniversalDetector detector = new UniversalDetector();
        detector.handleData(body, from, length);
        detector.dataEnd();
        // Lower-case letters are the same bytes in both, and no site uses the one of the old Mac.
        return Optional.ofNullable(detector.getDetectedCharset())
                .map(name -> name.equals(Constants.CHARSET_MACCYRILLIC) ? Constants.CHARSET_WINDOWS_1251 : name)
                .flatMap(CharsetDetector::byLabel).orElse(WINDOWS_1252);
    }

    private static Optional<Charset> find(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? byLabel(m.group(1)) : Optional.empty();
    }

    private static Optional<Charset> byLabel(String label) {
        String name = label.strip().toLowerCase(Locale.ROOT);
        try {
            return Optional.of(Charset.forName(LABELS.getOrDefault(name, name)));
        } catch (IllegalArgumentException e) {
            // Unknown charset: same as no declaration.
            return Optional.empty();
        }
    }

    /**
     * The text of a body and its actual charset. A wrong declaration must not lose data, so three cases are corrected:
     * bytes that are valid UTF-8 but declared as Latin-1 (a server's default) are UTF-8; bytes declared as UTF-8 that
     * are mostly invalid are not; without a declaration the body is UTF-8 if valid, else what {@link #detected} finds.
     * Every other declaration is accepted.
     */
    record DecodedText(String text, Charset charset) {
        private static final char BROKEN = '\uFFFD';

        /** Decodes a whole body. */
        static DecodedText of(byte[] body, String contentType) {
            Optional<CharsetDetector.Mark> mark = CharsetDetector.byteOrderMark(body);
            if (mark.isPresent()) {
                int skip = mark.get().length();
                return new DecodedText(new String(body, skip, body.length - skip, mark.get().charset()), mark.get().charset());
            }
            Charset declared = CharsetDetector.declared(contentType, body).orElse(StandardCharsets.UTF_8);
            boolean uncertain = declared.equals(StandardCharsets.UTF_8) || declared.equals(CharsetDetector.WINDOWS_1252);
            return uncertain ? utf8OrLatin(body, declared) : new DecodedText(new String(body, declared), declared);
        }

        private static DecodedText utf8OrLatin(byte[] body, Charset declared) {
            String text = new String(body, StandardCharsets.UTF_8);
            boolean clean = text.indexOf(BROKEN) < 0;
            if (clean || (declared.equals(StandardCharsets.UTF_8) && mostlyUtf8(text))) {
                return new DecodedText(text, StandardCharsets.UTF_8);
            }
            Charset other = declared.equals(StandardCharsets.UTF_8) ? detected(body) : declared;
            return new DecodedText(new String(body, other), other);
        }

        /** Whether more non-ASCII characters were valid than invalid: one bad byte does not make a page Latin-1. */
        private static boolean mostlyUtf8(String text) {
            long broken = text.chars().filter(c -> c == BROKEN).count();
            long good = text.chars().filter(c -> c >= 0x80 && c != BROKEN).count();
            return good > broken;
        }
    }
}
