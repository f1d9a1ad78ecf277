package io.trawl.settings;

import io.trawl.model.InvalidValueException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the address of a name server is written: {@code 192.0.2.1}, {@code 192.0.2.1:5353}, {@code 2001:db8::1} or
 * {@code [2001:db8::1]:5353}.
 */
public final class NameServerAddress {
    /** Stands for the resolver of the system, instead of an address. */
    public static final String SYSTEM = "system";
    /** What {@link Settings.DownloaderSettings#nameServers} may be. */
    static final String RULE = "addresses of name servers, such as 192.0.2.1 or [2001:db8::1]:5353, or " + SYSTEM;
    static final String FIELD = "TRAWL_DOWNLOADER_NAME_SERVERS";
    private static final int PORT = 53;
    private static final int LARGEST_PORT = 65_535;
    private static final Pattern WRITTEN = Pattern
            .compile("\\[([0-9a-fA-F:.%]+)](?::([0-9]{1,5}))?|([0-9.]+)(?::([0-9]{1,5}))?|([0-9a-fA-F:.]+(?:%\\w+)?)");

    private NameServerAddress() {}

    /**
     * The address.
     *
     * @throws InvalidValueException naming the setting if it is none
     */
    public static InetSocketAddress of(String text) {
        return read(text).orElseThrow(() -> new InvalidValueException(FIELD, text, RULE));
    }

    /** The address; empty if it is none. */
    public static Optional<InetSocketAddress> read(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            return Optional.empty();
        }
        String port = Optional.ofNullable(written.group(2)).or(() -> Optional.ofNullable(written.group(4)))
                .orElse(Integer.toString(PORT));
        String host = Optional.ofNullable(written.group(1)).or(() -> Optional.ofNullable(written.group(3)))
                .orElseGet(() -> written.group(5));
        int number = Integer.parseInt(port);
        try {
            return number < 1 || number > LARGEST_PORT
                    ? Optional.empty()
                    : Optional.of(new InetSocketAddress(InetAddress.ofLiteral(host), number));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The same address as text, for people. */
    public static String text(InetSocketAddress server) {
        String host = server.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]")
                + (server.getPort() == PORT ? "" : ":" + server.getPort());
    }
}
