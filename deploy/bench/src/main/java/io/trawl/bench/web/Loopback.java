package io.trawl.bench.web;

import java.net.InetAddress;

/**
 * A numbered list of loopback addresses; Linux serves all of 127.0.0.0/8. Each address is a separate host and primary
 * domain.
 */
public final class Loopback {
    /** The number of addresses from 127.1.0.0 to 127.254.255.255. */
    public static final int MOST = 254 << 16;
    private static final int BYTE = 0xff;

    private Loopback() {}

    /** The address of a host, counted from 0. */
    public static String address(int host) {
        if (host < 0 || host >= MOST) {
            throw new IllegalArgumentException("host " + host + " of " + MOST);
        }
        return "127." + (1 + (host >> 16)) + "." + (host >> 8 & BYTE) + "." + (host & BYTE);
    }

    /** The number of the host with this address; negative for 127.0.x.y. */
    static int number(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ((bytes[1] & BYTE) - 1 << 16) + ((bytes[2] & BYTE) << 8) + (bytes[3] & BYTE);
    }
}
