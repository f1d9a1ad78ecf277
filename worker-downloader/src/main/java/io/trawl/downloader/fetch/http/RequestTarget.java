package io.trawl.downloader.fetch.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a URL that are sent (RFC 3986 appendix B). The URL was normalised at admission. Unlike
 * {@link java.net.URI} this is lenient about its path and query, and it escapes everything that could end the request
 * line.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case, without the brackets of an IPv6 address
 * @param port -1 for the scheme's default
 * @param path path and query, beginning with a slash, visible ASCII only
 */
record RequestTarget(String scheme, String host, int port, String path) {
    private static final Pattern URL = Pattern.compile(
            "(https?)://(?:[^/?#@]*@)?(\\[[0-9a-f:.%]+]|[^\\[\\]:/?#@\\s\\\\]+)(?::([0-9]{0,5}))?([/?][^#]*)?(?:#.*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Splits a URL; empty if it is not an absolute http or https URL. User information is dropped. */
    static Optional<RequestTarget> of(String url) {
        Matcher m = URL.matcher(url);
        if (!m.matches()) {
            return Optional.empty();
        }
        String scheme = m.group(1).toLowerCase(Locale.ROOT);
        String host = m.group(2).toLowerCase(Locale.ROOT);
        int port = m.group(3) == null || m.group(3).isEmpty() ? -1 : Integer.parseInt(m.group(3));
        if (port == 0 || port > 65_535 || !host.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return Optional.empty();
        }
        boolean ownPort = port == (scheme.equals("http") ? 80 : 443);
        String rest = m.group(4) == null ? "/" : m.group(4);
        return Optional.of(new RequestTarget(scheme, host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                ownPort ? -1 : port, escaped(rest.startsWith("/") ? rest : "/" + rest)));
    }

    /** For messages: {@code host} or {@code host:port}. */
    String shown() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port < 0 ? name : name + ":" + port;
    }

    private static String escaped(String path) {
        if (path.chars().allMatch(RequestTarget::stays)) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length() + 16);
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (stays(b & 0xff)) {
                out.append((char) b);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }

    private static boolean stays(int c) {
        return c > ' ' && c < 0x7f && "\"<>\\^`{|}".indexOf(c) < 0;
    }
}
