package io.trawl.downloader.fetch.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Decides which addresses may be connected to. It checks addresses after resolution, not names: even if a name is
 * rebound, a connection only goes to a checked address. It refuses all special-purpose networks of the IANA registries
 * (RFC 6890 and its updates), the metadata services of clouds, and IPv6 addresses that contain such an IPv4 address.
 * The networks that the operator allows take precedence. Immutable; thread-safe.
 */
public final class AddressGuard {
    /** The environment variable that allows networks. */
    static final String FIELD = "TRAWL_ALLOW_NETWORK";

    private record Special(Cidr network, String description) {
        static Special of(String cidr, String description) {
            return new Special(Cidr.of(cidr), description);
        }
    }

    /** The first match gives the reason. */
    private static final List<Special> IPV4 = List.of(Special.of("127.0.0.0/8", "a loopback address"),
            Special.of("10.0.0.0/8", "a private address"), Special.of("172.16.0.0/12", "a private address"),
            Special.of("192.168.0.0/16", "a private address"),
            Special.of("169.254.169.254/32", "the metadata service of a cloud"),
            Special.of("169.254.170.2/32", "the metadata service of a cloud"),
            Special.of("100.100.100.200/32", "the metadata service of a cloud"),
            Special.of("168.63.129.16/32", "the metadata service of a cloud"),
            Special.of("192.0.0.192/32", "the metadata service of a cloud"),
            Special.of("169.254.0.0/16", "a link-local address"),
            Special.of("100.64.0.0/10", "an address shared inside a provider's network"),
            Special.of("0.0.0.0/8", "an unspecified address"),
            Special.of("192.0.0.0/24", "an address reserved for protocols"),
            Special.of("192.0.2.0/24", "an address for documentation"),
            Special.of("198.51.100.0/24", "an address for documentation"),
            Special.of("203.0.113.0/24", "an address for documentation"),
            Special.of("192.88.99.0/24", "a relay address"), Special.of("198.18.0.0/15", "an address for benchmarks"),
            Special.of("224.0.0.0/4", "a multicast address"), Special.of("255.255.255.255/32", "the broadcast address"),
            Special.of("240.0.0.0/4", "a reserved address"));

    private static final List<Special> IPV6 = List.of(Special.of("::1/128", "a loopback address"),
            Special.of("::/128", "an unspecified address"),
            Special.of("fd00:ec2::254/128", "the metadata service of a cloud"),
            Special.of("fc00::/7", "a private address"), Special.of("fe80::/10", "a link-local address"),
            Special.of("fec0::/10", "a private address"), Special.of("ff00::/8", "a multicast address"),
            Special.of("2001:db8::/32", "an address for documentation"),
            Special.of("3fff::/20", "an address for documentation"),
            Special.of("2001::/23", "an address reserved for protocols"),
            Special.of("64:ff9b:1::/48", "a private address"));

    private static final Cidr GLOBAL_IPV6 = Cidr.of("2000::/3");
    /** Networks whose addresses are treated as the IPv4 address inside them: NAT64 (RFC 6052) and 6to4 (RFC 3056). */
    private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");
    private static final Cidr SIX_TO_FOUR = Cidr.of("2002::/16");

    private final List<Cidr> allowed;

    private AddressGuard(List<Cidr> allowed) {
        this.allowed = allowed;
    }

    /**
     * A guard that allows these networks in addition to the public internet.
     *
     * @throws io.trawl.model.InvalidValueException naming {@value #FIELD} if one cannot be read
     */
    public static AddressGuard allowing(List<String> networks) {
        return new AddressGuard(networks.stream().map(text -> Cidr.parse(FIELD, text)).toList());
    }

    /** Why this address may not be connected to ("a loopback address"); empty if it may. */
    public Optional<String> refusal(InetAddress address) {
        return refusal(address.getAddress());
    }

    private Optional<String> refusal(byte[] bytes) {
        if (allowed.stream().anyMatch(network -> network.contains(bytes))) {
            return Optional.empty();
        }
        return bytes.length == 4 ? special(IPV4, bytes) : refusal6(bytes);
    }

    private Optional<String> refusal6(byte[] bytes) {
        Optional<String> special = special(IPV6, bytes);
        if (special.isPresent()) {
            return special;
        }
        if (NAT64.contains(bytes)) {
            return refusal(Arrays.copyOfRange(bytes, 12, 16));
        }
        if (SIX_TO_FOUR.contains(bytes)) {
            return refusal(Arrays.copyOfRange(bytes, 2, 6));
        }
        return GLOBAL_IPV6.contains(bytes)
                ? Optional.empty()
                : Optional.of("an address outside of the public internet");
    }

    private static Optional<String> special(List<Special> table, byte[] bytes) {
        return table.stream().filter(s -> s.network().contains(bytes)).map(Special::description).findFirst();
    }

    /**
     * The addresses of a name that may be connected to, in the given order.
     *
     * @throws AddressRefused if there is none
     */
    List<InetAddress> admitted(String host, List<InetAddress> addresses) throws AddressRefused {
        List<InetAddress> admitted = addresses.stream().filter(address -> refusal(address).isEmpty()).toList();
        if (admitted.isEmpty()) {
            InetAddress first = addresses.getFirst();
            String name = first.getHostAddress().equals(host)
                    ? host + " is "
                    : host + " is " + first.getHostAddress() + ", ";
            throw new AddressRefused(name + refusal(first).orElseThrow() + "; " + FIELD
                    + " (of crawl and up: --allow-network) does not allow it");
        }
        return admitted;
    }

    /**
     * All addresses of a name are refused; the message names one and the reason. The resolver's contract demands its
     * super class.
     */
    static final class AddressRefused extends UnknownHostException {
        AddressRefused(String message) {
            super(message);
        }
    }
}
