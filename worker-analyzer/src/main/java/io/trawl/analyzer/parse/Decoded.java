package io.trawl.analyzer.parse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The text of a body and the charset it really is in. A wrong declaration must not lose data, so three lies are seen through: bytes that are valid
 * UTF-8 but declared as Latin-1 (a server's default) are UTF-8; bytes declared as UTF-8 that are mostly not are windows-1252; without any declaration
 * it is UTF-8 if it can be, else windows-1252. Every other declaration is believed.
 */
record Decoded(String text, Charset charset) {
    private static final char BROKEN = '\uFFFD';

    /** Decodes a whole body. */
    static Decoded of(byte[] body, String contentType) {
        Optional<Charsets.Mark> mark = Charsets.byteOrderMark(body);
        if (mark.isPresent()) {
            int skip = mark.get().length();
            return new Decoded(new String(body, skip, body.length - skip, mark.get().charset()), mark.get().charset());
        }
        Charset said = Charsets.declared(contentType, body).orElse(StandardCharsets.UTF_8);
        boolean doubtful = said.equals(StandardCharsets.UTF_8) || said.equals(Charsets.WINDOWS_1252);
        return doubtful ? utf8OrLatin(body, said) : new Decoded(new String(body, said), said);
    }

    private static Decoded utf8OrLatin(byte[] body, Charset said) {
        String text = new String(body, StandardCharsets.UTF_8);
        boolean clean = text.indexOf(BROKEN) < 0;
        if (clean || (said.equals(StandardCharsets.UTF_8) && mostlyUtf8(text))) {
            return new Decoded(text, StandardCharsets.UTF_8);
        }
        return new Decoded(new String(body, Charsets.WINDOWS_1252), Charsets.WINDOWS_1252);
    }

    /** Whether more characters beyond ASCII were decoded than could not be: one bad byte does not make a page Latin-1. */
    private static boolean mostlyUtf8(String text) {
        long broken = text.chars().filter(c -> c == BROKEN).count();
        long good = text.chars().filter(c -> c >= 0x80 && c != BROKEN).count();
        return good > broken;
    }
}
