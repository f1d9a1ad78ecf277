package io.trawl.admission;

import java.util.Optional;

/**
 * IPv4 addresses as browsers and resolvers read them: one to four numbers, decimal, octal (0...) or hexadecimal
 * (0x...), of which the last fills the remaining bytes. {@code 0x7f.1}, {@code 2130706433} and {@code 127.0.0.1} are
 * one host, and the address guard depends on that.
 */
final class Ipv4 {
    private static final long NONE = -1;

    private Ipv4() {}

    /**
     * The name itself if it cannot be an address; the address as four decimal numbers; empty if it looks like an
     * address but is invalid.
     */
    static Optional<String> normal(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        boolean address = number(last) != NONE || last.chars().allMatch(c -> c >= '0' && c <= '9');
        return address ? parsed(name.split("\\.", -1)) : Optional.of(name);
    }

    private static Optional<String> parsed(String[] parts) {
        if (parts.length > 4) {
            return Optional.empty();
        }
        long address = 0;
        for (int i = 0; i < parts.length; i++) {
            long number = number(parts[i]);
            long room = i < parts.length - 1 ? 256 : 1L << 8 * (5 - parts.length);
            if (number == NONE || number >= room) {
                return Optional.empty();
            }
            address = address * room + number;
        }
        return Optional
                .of((address >> 24) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255));
    }

    /** The value of a number; NONE if it is not a number or has more digits than any address (leading zeros aside). */
    private static long number(String part) {
        int radix = part.startsWith("0x") ? 16 : part.length() > 1 && part.startsWith("0") ? 8 : 10;
        long value = 0;
        for (int i = radix == 16 ? 2 : 0; i < part.length(); i++) {
            int digit = Character.digit(part.charAt(i), radix);
            // Beyond 32 bits only the size matters, not the value.
            value = digit < 0 ? NONE : Math.min(value * radix + digit, 1L << 32);
            if (value == NONE) {
                return NONE;
            }
        }
        return part.isEmpty() ? NONE : value;
    }
}
