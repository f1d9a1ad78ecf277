package io.trawl.analyzer.charset;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.trawl.charset.WebCharset;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a body and its actual charset: that of a byte order mark, the {@code Content-Type}, or the document
 * (WHATWG Encoding and HTML standards). An unknown name counts as no declaration. A wrong declaration must not lose
 * data, so these are corrected: bytes that are valid UTF-8 but declared as Latin-1 (a server's default) are UTF-8;
 * bytes that a header declares as UTF-8, and are mostly invalid, are what the document declares, or else what
 * {@link CharsetGuess} finds, which also decides for bytes that are not UTF-8 and declare nothing. Every other
 * declaration is accepted.
 *
 * @param charset in which the text was read
 */
public record DecodedText(String text, Charset charset) {
    private static final char BROKEN = '\uFFFD';
    /** What is searched for a declaration before the bytes are looked at; behind it only of what is not UTF-8. */
    private static final int PRESCAN = 4096;
    // Possessive quantifiers: adjacent runs of white space would be tried in all divisions, in quadratic time.
    private static final Pattern IN_HEADER = Pattern.compile("charset\\s*+=\\s*+[\"']?+\\s*+([^\\s\"';,]++)",
            Pattern.CASE_INSENSITIVE);

    /** Decodes a whole body. */
    public static DecodedText of(byte[] body, String contentType) {
        int marked = mark(body);
        if (marked > 0) {
            return new DecodedText(new String(body, marked, body.length - marked, charsetOfMark(body)),
                    charsetOfMark(body));
        }
        Optional<Charset> header = inHeader(contentType);
        Optional<Charset> declared = header.or(() -> MetaPrescan.declared(body, Math.min(body.length, PRESCAN)));
        return declared.filter(charset -> !uncertain(charset)).map(charset -> decoded(body, charset))
                .orElseGet(() -> utf8OrOther(body, declared, header.isPresent()));
    }

    /** The length of the byte order mark that the bytes begin with, or 0. */
    public static int mark(byte[] b) {
        if (b.length >= 3 && b[0] == (byte) 0xEF && b[1] == (byte) 0xBB && b[2] == (byte) 0xBF) {
            return 3;
        }
        return b.length >= 2
                && (b[0] == (byte) 0xFF && b[1] == (byte) 0xFE || b[0] == (byte) 0xFE && b[1] == (byte) 0xFF) ? 2 : 0;
    }

    private static Charset charsetOfMark(byte[] b) {
        return b[0] == (byte) 0xEF ? UTF_8 : b[0] == (byte) 0xFF ? UTF_16LE : UTF_16BE;
    }

    private static Optional<Charset> inHeader(String contentType) {
        Matcher m = IN_HEADER.matcher(contentType);
        return m.find() ? WebCharset.forLabel(m.group(1)) : Optional.empty();
    }

    private static boolean uncertain(Charset charset) {
        return charset.equals(UTF_8) || charset.equals(WebCharset.WINDOWS_1252);
    }

    private static DecodedText decoded(byte[] body, Charset charset) {
        return new DecodedText(new String(body, charset), charset);
    }

    /** @param byHeader whether the document may still declare something else */
    private static DecodedText utf8OrOther(byte[] body, Optional<Charset> declared, boolean byHeader) {
        DecodedText text = decoded(body, UTF_8);
        boolean latin = declared.filter(WebCharset.WINDOWS_1252::equals).isPresent();
        if (text.text.indexOf(BROKEN) < 0 || valid(body)) {
            // Bytes of ASCII alone are what was declared: queries of its links are in that charset.
            return text.text.length() == body.length ? new DecodedText(text.text, declared.orElse(UTF_8)) : text;
        }
        if (latin) {
            return decoded(body, WebCharset.WINDOWS_1252);
        }
        Optional<Charset> inDocument = declared.isPresent() && !byHeader
                ? Optional.empty()
                : MetaPrescan.declared(body, body.length).filter(charset -> !charset.equals(UTF_8));
        if (declared.isEmpty() && inDocument.isPresent() || !text.mostlyUtf8()) {
            return decoded(body, inDocument.orElseGet(() -> CharsetGuess.of(body)));
        }
        return text;
    }

    /** Whether the bytes are UTF-8 that has U+FFFD itself as a character. */
    private static boolean valid(byte[] body) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Whether more non-ASCII characters were valid than invalid: one bad byte does not make a page Latin-1. */
    private boolean mostlyUtf8() {
        long broken = text.chars().filter(c -> c == BROKEN).count();
        long good = text.chars().filter(c -> c >= 0x80 && c != BROKEN).count();
        return good > broken;
    }
}
