package io.trawl.admission;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Where each ASCII character is allowed in a URL (RFC 3986), and the percent-encoding of the others. */
final class UrlChars {
    private static final byte UNRESERVED = 1;
    private static final byte PATH = 2;
    private static final byte QUERY = 4;
    private static final byte HOST = 8;
    private static final byte[] MAY = table();
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private UrlChars() {}

    private static byte[] table() {
        byte[] may = new byte[128];
        allow(may, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", UNRESERVED | PATH | QUERY);
        allow(may, "!$&()*+,;=:@", PATH | QUERY);
        // RFC 3986 allows the apostrophe in a query too, but browsers encode it there.
        may['\''] |= PATH;
        allow(may, "/?", QUERY);
        // Lower case only, and without the dot, which ends a label. Host names have no underscore by the standard, but
        // such hosts exist.
        allow(may, "abcdefghijklmnopqrstuvwxyz0123456789-_", HOST);
        return may;
    }

    private static void allow(byte[] may, String characters, int what) {
        for (int i = 0; i < characters.length(); i++) {
            may[characters.charAt(i)] |= (byte) what;
        }
    }

    static boolean unreserved(int c) {
        return c < 128 && (MAY[c] & UNRESERVED) != 0;
    }

    /** Whether the character needs no encoding inside a path segment. */
    static boolean path(char c) {
        return c < 128 && (MAY[c] & PATH) != 0;
    }

    static boolean query(char c) {
        return c < 128 && (MAY[c] & QUERY) != 0;
    }

    /** Whether the character is allowed in a label of a normal host name. */
    static boolean host(char c) {
        return c < 128 && (MAY[c] & HOST) != 0;
    }

    static boolean slash(char c) {
        return c == '/' || c == '\\';
    }

    /** The value of the two hex digits after the percent sign at {@code i}, or -1 if they are not there. */
    static int encoded(String s, int i) {
        if (i + 2 >= s.length()) {
            return -1;
        }
        int high = Character.digit(s.charAt(i + 1), 16);
        int low = Character.digit(s.charAt(i + 2), 16);
        // Character.digit() also accepts the digits of other scripts.
        return high < 0 || low < 0 || s.charAt(i + 1) > 'f' || s.charAt(i + 2) > 'f' ? -1 : high << 4 | low;
    }

    /** Appends a byte, percent-encoded. */
    static void encode(StringBuilder out, int octet) {
        out.append('%').append(HEX[octet >> 4 & 15]).append(HEX[octet & 15]);
    }

    /**
     * Appends the code point at {@code i} as percent-encoded UTF-8, half a surrogate pair as U+FFFD; returns the index
     * after it.
     */
    static int encodeCodePoint(StringBuilder out, String s, int i) {
        int c = s.codePointAt(i);
        boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        for (byte octet : (half ? "\uFFFD" : Character.toString(c)).getBytes(StandardCharsets.UTF_8)) {
            encode(out, octet);
        }
        return i + Character.charCount(c);
    }

    /**
     * Appends text beyond ASCII, percent-encoded in a charset (URL standard, percent-encode after encoding): a
     * character that it lacks as the reference of HTML, also percent-encoded, and half a surrogate pair as U+FFFD.
     */
    static void encodeQuery(StringBuilder out, String text, Charset charset) {
        CharsetEncoder encoder = charset.newEncoder();
        CharBuffer in = CharBuffer.wrap(text);
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.ceil(encoder.maxBytesPerChar() * text.length()) + 16);
        while (in.hasRemaining()) {
            CoderResult result = encoder.encode(in, bytes, true);
            flush(encoder, bytes, out);
            if (result.isError()) {
                if (result.isMalformed()) {
                    encodeQuery(out, "\uFFFD", charset);
                } else {
                    out.append("%26%23").append(Character.codePointAt(in, 0)).append("%3B");
                }
                in.position(in.position() + result.length());
            }
            encoder.reset();
        }
    }

    private static void flush(CharsetEncoder encoder, ByteBuffer bytes, StringBuilder out) {
        encoder.flush(bytes);
        bytes.flip();
        while (bytes.hasRemaining()) {
            byte octet = bytes.get();
            if (query((char) (octet & 0xFF))) {
                out.append((char) octet);
            } else {
                encode(out, octet);
            }
        }
        bytes.clear();
    }

    /** The index at which the authority that begins at {@code start} ends. */
    static int authorityEnd(String s, int start) {
        int i = start;
        while (i < s.length() && !slash(s.charAt(i)) && s.charAt(i) != '?' && s.charAt(i) != '#') {
            i++;
        }
        return i;
    }

    /** The text without blanks and control characters around it and without tabs and line breaks in it. */
    static String stripped(String s) {
        int start = 0;
        int end = s.length();
        while (start < end && s.charAt(start) <= ' ') {
            start++;
        }
        while (end > start && s.charAt(end - 1) <= ' ') {
            end--;
        }
        String trimmed = s.substring(start, end);
        boolean clean = trimmed.indexOf('\t') < 0 && trimmed.indexOf('\n') < 0 && trimmed.indexOf('\r') < 0;
        return clean ? trimmed : trimmed.replace("\t", "").replace("\n", "").replace("\r", "");
    }
}
