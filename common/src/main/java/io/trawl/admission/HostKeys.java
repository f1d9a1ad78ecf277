package io.trawl.admission;

import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import java.util.Optional;

/** Servers of URLs in normal form, and what they share their pauses with. Pure functions. */
public final class HostKeys {
    private HostKeys() {}

    /**
     * {@code host:port}, the port always written out: {@code https://example.org/} and {@code https://example.org:443/} are one server,
     * {@code http://example.org/} may be another.
     *
     * @param url in normal form
     */
    public static HostKey of(String url) {
        int start = url.indexOf("//") + 2;
        int end = url.indexOf('/', start);
        // After the bracket of an IPv6 address, if there is one; a name holds neither.
        boolean port = url.lastIndexOf(':', end) > Math.max(start, url.lastIndexOf(']', end));
        String authority = url.substring(start, end);
        return new HostKey(port ? authority : authority + (url.startsWith("https") ? ":443" : ":80"));
    }

    /** The host of a server, without the port; an IPv6 address keeps its brackets. */
    public static String host(HostKey server) {
        return server.value().substring(0, server.value().lastIndexOf(':'));
    }

    /**
     * The politeness key of a server: the key of its requests' records. By domain it is its {@link PrimaryDomain}, on any port, so an IP address and a
     * name of one label are their own keys. What is no {@code host:port} in normal form, as foreign records may say, is its own key, too. By address it
     * is the server: which address a name has is for each downloader to find out.
     */
    public static HostKey politeness(HostKey server, PolitenessKey by) {
        return switch (by) {
            case HOST, IP -> server;
            case DOMAIN -> name(server).map(name -> new HostKey(PrimaryDomain.of(name))).orElse(server);
        };
    }

    /** The host of a server, as {@link #host}; empty for what is no {@code host:port} in normal form. */
    public static Optional<String> name(HostKey server) {
        return server.value().lastIndexOf(':') > 0 ? HostName.of(host(server)).filter(host(server)::equals) : Optional.empty();
    }
}
