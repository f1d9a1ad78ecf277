package io.trawl.admission;

import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The server and the domains of a URL.
 *
 * @param host the server
 * @param domain the primary domain
 * @param names the names under which a crawl may have accepted it: the host and every domain above it down to the
 * primary domain, longest first
 */
record UrlAuthority(HostKey host, String domain, List<String> names) {
    /**
     * The most names below the primary domain that are looked up besides the host's own: a page may link to hosts with
     * a hundred labels.
     */
    private static final int MOST_BETWEEN = 8;

    /** The site of a URL in normal form. */
    static UrlAuthority of(String url) {
        HostKey key = HostKeyFactory.of(url);
        String host = HostKeyFactory.host(key);
        String domain = PrimaryDomain.of(host);
        return new UrlAuthority(key, domain, names(host, domain));
    }

    private static List<String> names(String host, String domain) {
        if (host.length() == domain.length()) {
            return List.of(host);
        }
        List<String> names = new ArrayList<>(4);
        for (String name = domain; name.length() < host.length()
                && names.size() <= MOST_BETWEEN; name = host.substring(start(host, name))) {
            names.add(name);
        }
        names.add(host);
        return List.copyOf(names.reversed());
    }

    /** The index at which the name with one more label begins. */
    private static int start(String host, String name) {
        return host.lastIndexOf('.', host.length() - name.length() - 2) + 1;
    }
}
