package io.trawl.downloader.fetch.http;

import io.trawl.model.InvalidValueException;
import java.net.InetAddress;
import java.util.regex.Pattern;

/** A network: an address and the number of its leading bits that count. Later bits are ignored. */
record Cidr(InetAddress network, int prefix) {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /**
     * Reads {@code 10.0.0.0/8}, {@code fd00::/8}, or a single address.
     *
     * @param field the name of the setting in the error
     * @throws InvalidValueException if the text is not a network; names are never looked up
     */
    static Cidr parse(String field, String text) {
        String trimmed = text.strip();
        int slash = trimmed.indexOf('/');
        String address = slash < 0 ? trimmed : trimmed.substring(0, slash);
        if (address.indexOf(':') < 0 && !IPV4.matcher(address).matches() || address.indexOf('%') >= 0) {
            throw invalid(field, text);
        }
        try {
            InetAddress network = InetAddress.ofLiteral(address);
            int bits = network.getAddress().length * 8;
            int prefix = slash < 0 ? bits : Integer.parseUnsignedInt(trimmed.substring(slash + 1));
            if (prefix <= bits) {
                return new Cidr(network, prefix);
            }
        } catch (IllegalArgumentException e) {
            // not an address, or not a number after the slash: the one error below
        }
        throw invalid(field, text);
    }

    private static InvalidValueException invalid(String field, String text) {
        return new InvalidValueException(field, text,
                "networks like 10.0.0.0/8, 127.0.0.1 or fd00::/8, separated by commas");
    }

    /** A network of a built-in table. */
    static Cidr of(String text) {
        return parse("network", text);
    }

    /** Whether the address has the same family and is in this network. */
    boolean contains(byte[] address) {
        byte[] own = network.getAddress();
        if (own.length != address.length) {
            return false;
        }
        int whole = prefix / 8;
        for (int i = 0; i < whole; i++) {
            if (own[i] != address[i]) {
                return false;
            }
        }
        int rest = prefix % 8;
        return rest == 0 || (own[whole] & 0xff) >> 8 - rest == (address[whole] & 0xff) >> 8 - rest;
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + prefix;
    }
}
