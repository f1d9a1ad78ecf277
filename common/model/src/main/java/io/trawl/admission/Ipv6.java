package io.trawl.admission;

import java.net.Inet6Address;
import java.util.Optional;

/**
 * IPv6 addresses in their shortest form (RFC 5952, but an embedded IPv4 address is written in hexadecimal, as browsers
 * do).
 */
final class Ipv6 {
    private static final int PIECES = 8;

    private Ipv6() {}

    /** The normal form of an address without its brackets; empty if it is invalid or has a zone. */
    static Optional<String> normal(String text) {
        boolean plain = !text.isEmpty()
                && text.chars().allMatch(c -> c == ':' || c == '.' || c < 128 && Character.digit(c, 16) >= 0);
        if (!plain) {
            return Optional.empty();
        }
        try {
            return Optional.of(written(pieces(Inet6Address.ofLiteral(text).getAddress())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static int[] pieces(byte[] address) {
        int[] pieces = new int[PIECES];
        int first = PIECES - address.length / 2;
        if (first > 0) {
            // The JDK returns an IPv4-mapped address as its IPv4 address.
            pieces[first - 1] = 0xffff;
        }
        for (int i = 0; i < address.length; i += 2) {
            pieces[first + i / 2] = (address[i] & 255) << 8 | address[i + 1] & 255;
        }
        return pieces;
    }

    private static String written(int[] pieces) {
        int gap = longestGap(pieces);
        int gapEnd = gap < 0 ? -1 : gap + zeros(pieces, gap);
        StringBuilder out = new StringBuilder(40);
        for (int i = 0; i < PIECES; i++) {
            if (i == gap) {
                out.append("::");
                i = gapEnd - 1;
            } else {
                out.append(i == 0 || i == gapEnd ? "" : ":").append(Integer.toHexString(pieces[i]));
            }
        }
        return out.toString();
    }

    /** The beginning of the first longest run of two or more zeros, or -1. */
    private static int longestGap(int[] pieces) {
        int best = -1;
        int length = 1;
        for (int i = 0; i < PIECES; i += Math.max(1, zeros(pieces, i))) {
            if (zeros(pieces, i) > length) {
                best = i;
                length = zeros(pieces, i);
            }
        }
        return best;
    }

    private static int zeros(int[] pieces, int start) {
        int i = start;
        while (i < PIECES && pieces[i] == 0) {
            i++;
        }
        return i - start;
    }
}
