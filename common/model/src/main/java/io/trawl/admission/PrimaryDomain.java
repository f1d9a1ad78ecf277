package io.trawl.admission;

import crawlercommons.domains.EffectiveTldFinder;

/**
 * The primary domain of a host: its registered domain by the public suffix list in crawler-commons, including the
 * list's private section: {@code foo.github.io} is the domain of the user foo, not of GitHub, so that a crawl of one
 * user's pages does not spread to those of others. Pure functions.
 * <ul>
 * <li>An IP address and a name of one label are their own domains, on any port.</li>
 * <li>A public suffix itself ({@code co.uk}, {@code github.io}) is its own domain, and no other host belongs to
 * it.</li>
 * <li>Below a top level that the list does not know ({@code wiki.corp.internal}) the domain is the last two labels, as
 * the list's default rule says.</li>
 * </ul>
 */
public final class PrimaryDomain {
    private PrimaryDomain() {}

    /** @param host in normal form, without a port */
    public static String of(String host) {
        int lastDot = host.lastIndexOf('.');
        if (lastDot < 0 || address(host, lastDot)) {
            return host;
        }
        String domain = EffectiveTldFinder.getAssignedDomain(host);
        boolean unlisted = domain.length() == host.length() && EffectiveTldFinder.getEffectiveTLD(host) == null;
        return unlisted ? host.substring(host.lastIndexOf('.', lastDot - 1) + 1) : domain;
    }

    /**
     * Whether this is a suffix of several labels under which a registry sells names ({@code co.uk}), and therefore not
     * a host. One of a single label ({@code wiki}) may well be a host of a local network, and a private one
     * ({@code github.io}) a site.
     */
    static boolean registrySuffix(String host) {
        return host.indexOf('.') > 0 && !address(host) && EffectiveTldFinder.getEffectiveTLD(host, true) != null
                && EffectiveTldFinder.getAssignedDomain(host, true, true) == null;
    }

    /** Whether a host in normal form is an IP address: no top level begins with a digit or a bracket. */
    static boolean address(String host) {
        return address(host, host.lastIndexOf('.'));
    }

    private static boolean address(String host, int lastDot) {
        char first = host.charAt(lastDot + 1);
        return host.startsWith("[") || first >= '0' && first <= '9';
    }
}
