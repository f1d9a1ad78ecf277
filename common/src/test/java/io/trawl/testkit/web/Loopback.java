package io.trawl.testkit.web;

import io.trawl.testkit.FakeNameServer;
import io.trawl.testkit.FakeNameServer.NameReply;
import java.net.InetAddress;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * A numbered list of loopback addresses; Linux serves all of 127.0.0.0/8. Each address is a separate host and primary
 * domain.
 */
public final class Loopback {
    /** The number of addresses from 127.1.0.0 to 127.254.255.255. */
    public static final int MOST = 254 << 16;
    private static final int BYTE = 0xff;
    private static final String NAME_ENDING = "-site.test";
    private static final Pattern NAME = Pattern.compile("h[0-9]{1,8}" + Pattern.quote(NAME_ENDING));
    private static final int NAME_TTL_SECONDS = 3600;

    private Loopback() {}

    /** The address of a host, counted from 0. */
    public static String address(int host) {
        if (host < 0 || host >= MOST) {
            throw new IllegalArgumentException("host " + host + " of " + MOST);
        }
        return "127." + (1 + (host >> 16)) + "." + (host >> 8 & BYTE) + "." + (host & BYTE);
    }

    /** The name of a host, counted from 0, for crawls of names; each is a domain of its own, as each address is. */
    public static String name(int host) {
        return "h" + host + NAME_ENDING;
    }

    /** A name server for these names, with the numbers of the hosts for whose names it does not answer. */
    public static FakeNameServer nameServer(IntPredicate unanswered) {
        return new FakeNameServer(name -> {
            if (!NAME.matcher(name).matches()) {
                return new NameReply.Code(0);
            }
            int host = Integer.parseInt(name.substring(1, name.length() - NAME_ENDING.length()));
            return unanswered.test(host)
                    ? new NameReply.Ignored()
                    : FakeNameServer.address(NAME_TTL_SECONDS, address(host));
        });
    }

    /** The number of the host with this address; negative for 127.0.x.y. */
    static int number(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ((bytes[1] & BYTE) - 1 << 16) + ((bytes[2] & BYTE) << 8) + (bytes[3] & BYTE);
    }
}
