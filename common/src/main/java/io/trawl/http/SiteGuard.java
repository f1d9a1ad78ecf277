package io.trawl.http;

import io.trawl.settings.Settings;
import java.net.InetAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses calls that a page of another site makes through the browser of a user who can reach this address. No CORS
 * header is ever sent, so such a page reads no answer, and what is refused here it cannot change either. Immutable.
 *
 * <ul>
 * <li>A process that listens on loopback answers only for loopback names and addresses, and for the names in the
 * settings: a site whose name is bound to 127.0.0.1 for a moment (DNS rebinding) sends its own name as
 * {@code Host}.</li>
 * <li>Everything but GET and HEAD is refused if {@code Origin} (RFC 6454) is not this server, or {@code Sec-Fetch-Site}
 * (W3C Fetch Metadata) is neither a page of this server nor a typed address.</li>
 * </ul>
 */
final class SiteGuard {
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private final boolean loopback;
    private final Set<String> names;

    private SiteGuard(boolean loopback, Set<String> names) {
        this.loopback = loopback;
        this.names = names;
    }

    /** What the settings of a process say. */
    static SiteGuard of(Settings settings) {
        Set<String> names = new HashSet<>();
        settings.http().hosts().orElse(List.of()).forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        settings.http().advertised().ifPresent(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return new SiteGuard(Access.loopback(settings.http().bind()), Set.copyOf(names));
    }

    /** @throws CallRefusedException 403 for a call of another site */
    void admit(CallHead call) {
        Optional<Server> host = call.header("Host").flatMap(Server::of);
        if (loopback && host.filter(h -> ours(h.name())).isEmpty()) {
            throw new CallRefusedException(403,
                    "this process answers for loopback names only: set TRAWL_HTTP_HOSTS to add the name '"
                            + shown(call.header("Host").orElse("")) + "'");
        }
        if (!call.looks() && (call.header("Sec-Fetch-Site").filter(site -> !OWN_SITE.contains(site)).isPresent()
                || call.header("Origin").filter(origin -> !own(origin, host)).isPresent())) {
            throw new CallRefusedException(403, "a page of another site may not change anything here");
        }
    }

    private static String shown(String host) {
        return host.length() > 100 ? host.substring(0, 100) + "…" : host;
    }

    private boolean ours(String name) {
        return name.equals("localhost") || name.endsWith(".localhost") || names.contains(name) || loopbackLiteral(name);
    }

    private static boolean loopbackLiteral(String name) {
        try {
            return InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean own(String origin, Optional<Server> host) {
        try {
            URI uri = URI.create(origin);
            int usual = "https".equals(uri.getScheme()) ? HTTPS : HTTP;
            Optional<Server> from = Optional.ofNullable(uri.getRawAuthority()).flatMap(Server::of);
            return from.isPresent() && host.isPresent()
                    && (names.contains(from.get().name()) || from.get().same(host.get(), usual));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A server as {@code Host} and {@code Origin} name it. @param port 0 if it is not written */
    private record Server(String name, int port) {
        static Optional<Server> of(String authority) {
            int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
            String name = end < 0 ? authority : authority.substring(0, end);
            String port = end < 0 || end == authority.length() ? "" : authority.substring(end + 1);
            if (name.isEmpty() || !port.matches("[0-9]{0,5}")) {
                return Optional.empty();
            }
            String bare = name.startsWith("[") ? name.substring(1, name.length() - 1) : name.replaceFirst("\\.$", "");
            return Optional.of(new Server(bare.toLowerCase(Locale.ROOT), port.isEmpty() ? 0 : Integer.parseInt(port)));
        }

        boolean same(Server other, int usual) {
            return name.equals(other.name) && (port == 0 ? usual : port) == (other.port == 0 ? usual : other.port);
        }
    }
}
