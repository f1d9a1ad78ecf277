package io.trawl.admission;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The normal form of a host: a name in lower case ASCII, an IPv4 address as four decimal numbers, or an IPv6 address in
 * brackets (the host parser of the WHATWG URL standard, with the limits of DNS on lengths and empty labels, and with no
 * characters but letters, digits, hyphen and underscore).
 */
final class HostName {
    /** The most characters of a label (RFC 1035). */
    static final int LONGEST_LABEL = 63;
    /** The most characters of a name without its final dot. */
    static final int LONGEST = 253;

    private HostName() {}

    /** The normal form; empty if this is not a host. */
    static Optional<String> of(String raw) {
        if (raw.startsWith("[")) {
            return raw.endsWith("]")
                    ? Ipv6.normal(raw.substring(1, raw.length() - 1)).map(a -> '[' + a + ']')
                    : Optional.empty();
        }
        return ascii(raw).map(a -> a.endsWith(".") ? a.substring(0, a.length() - 1) : a).filter(HostName::wellFormed)
                .flatMap(Ipv4::normal);
    }

    private static Optional<String> ascii(String raw) {
        Optional<String> text = raw.indexOf('%') < 0 ? Optional.of(raw) : decoded(raw);
        return text.flatMap(
                t -> InternationalName.is(t) ? InternationalName.ascii(t) : Optional.of(t.toLowerCase(Locale.ROOT)));
    }

    private static Optional<String> decoded(String raw) {
        ByteBuffer octets = ByteBuffer.allocate(raw.length() * 3);
        for (int i = 0; i < raw.length();) {
            int octet = raw.charAt(i) == '%' ? UrlChars.encoded(raw, i) : -1;
            if (octet >= 0) {
                octets.put((byte) octet);
                i += 3;
            } else {
                int c = raw.codePointAt(i);
                octets.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(c);
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(octets.flip()).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean wellFormed(String name) {
        int label = 0;
        for (int i = 0; i <= name.length(); i++) {
            if (i == name.length() || name.charAt(i) == '.') {
                if (i == label || i - label > LONGEST_LABEL) {
                    return false;
                }
                label = i + 1;
            } else if (!UrlChars.host(name.charAt(i))) {
                return false;
            }
        }
        return name.length() <= LONGEST;
    }
}
