package io.trawl.downloader;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Host names for tests of this module: {@code a.127-0-0-7.test}, {@code b-127-0-0-7.test} and every other name with
 * this ending resolve to 127.0.0.7; the system resolves all others.
 */
public final class TestNames extends InetAddressResolverProvider {
    private static final Pattern LOOPBACK = Pattern.compile("(?:.+[.-])?127-0-0-(\\d{1,3})\\.test");

    /** A name of a loopback address, below a domain of that address. */
    static String below(String label, String address) {
        return label + "." + domain(address);
    }

    /** A registered domain of a loopback address, beside {@link #domain that address's own}. */
    static String beside(String label, String address) {
        return label + "-" + domain(address);
    }

    /** The registered domain of all names of a loopback address. */
    static String domain(String address) {
        return address.replace('.', '-') + ".test";
    }

    @Override
    public String name() {
        return "names for tests";
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver system = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                Matcher loopback = LOOPBACK.matcher(host);
                return loopback.matches()
                        ? Stream.of(InetAddress.getByAddress(host,
                                new byte[]{127, 0, 0, (byte) Integer.parseInt(loopback.group(1))}))
                        : system.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return system.lookupByAddress(address);
            }
        };
    }
}
