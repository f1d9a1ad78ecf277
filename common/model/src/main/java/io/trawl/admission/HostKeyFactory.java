package io.trawl.admission;

import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import java.util.Optional;

/** The servers of URLs in normal form, and their politeness keys. Pure functions. */
public final class HostKeyFactory {
    private HostKeyFactory() {}

    /**
     * {@code host:port}, always with the port: {@code https://example.org/} and {@code https://example.org:443/} are
     * one server, {@code http://example.org/} may be another.
     *
     * @param url in normal form
     */
    public static HostKey of(String url) {
        int start = url.indexOf("//") + 2;
        int end = url.indexOf('/', start);
        // After the bracket of an IPv6 address, if present; a name contains neither.
        boolean port = url.lastIndexOf(':', end) > Math.max(start, url.lastIndexOf(']', end));
        String authority = url.substring(start, end);
        return new HostKey(port ? authority : authority + (url.startsWith("https") ? ":443" : ":80"));
    }

    /** The host of a server, without the port; an IPv6 address keeps its brackets. */
    public static String host(HostKey server) {
        return server.value().substring(0, server.value().lastIndexOf(':'));
    }

    /**
     * The politeness key of a server: the key of its requests' records. By domain it is its {@link PrimaryDomain}, on
     * any port, so an IP address and a name of one label are their own keys. A key that is not a {@code host:port} in
     * normal form, as in foreign records, is its own key, too. By address it is the server: each downloader resolves
     * the address itself.
     */
    public static HostKey politeness(HostKey server, PolitenessKey by) {
        return switch (by) {
            case HOST, IP -> server;
            case DOMAIN -> name(server).map(name -> new HostKey(PrimaryDomain.of(name))).orElse(server);
        };
    }

    /** The host of a server, as {@link #host}; empty if the key is not a {@code host:port} in normal form. */
    public static Optional<String> name(HostKey server) {
        return server.value().lastIndexOf(':') > 0
                ? HostName.of(host(server)).filter(host(server)::equals)
                : Optional.empty();
    }
}
