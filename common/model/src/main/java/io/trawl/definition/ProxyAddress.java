package io.trawl.definition;

import io.trawl.definition.CrawlVariables.UnsetVariableException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy, and who the crawler is for it. Users write {@code http://host:port} or
 * {@code http://user:password@host:port}, where the password is a reference to a variable, or one reference to a
 * variable that holds either. Texts of it show no secret.
 *
 * @param written as users wrote it
 * @param host a name or address, without brackets
 * @param port 0: the text cannot be read, or names a variable that is not set in this process
 * @param user empty: none
 * @param password in clear text
 */
public record ProxyAddress(String written, String host, int port, Optional<String> user, Optional<String> password) {
    private static final Pattern FORM = Pattern.compile(
            "http://(?:([^:@/?#\\s]*)(?::(.*))?@)?((?:\\$\\{env:[^{}]*}|[^:@/?#\\[\\]\\s])+|\\[[0-9A-Fa-f:.]+]):([0-9]{1,5})/?");
    private static final int LARGEST_PORT = 65_535;

    /** Reads what a user wrote. */
    public static ProxyAddress of(String written, CrawlVariables variables) {
        try {
            // Only a reference alone stands for a whole URL: in one, a password may have any character.
            Matcher form = FORM.matcher(isReference(written) ? variables.resolve(written) : written);
            int port = form.matches() ? Integer.parseInt(form.group(4)) : 0;
            if (port > 0 && port <= LARGEST_PORT) {
                String host = variables.resolve(form.group(3));
                return new ProxyAddress(written, host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                        port, Optional.ofNullable(form.group(1)).map(ProxyAddress::decoded),
                        Optional.ofNullable(form.group(2))
                                .map(text -> CrawlVariables.in(text) ? variables.resolve(text) : decoded(text)));
            }
        } catch (UnsetVariableException e) {
            // No address.
        }
        return new ProxyAddress(written, "", 0, Optional.empty(), Optional.empty());
    }

    /** Whether this is of the right form, whatever variables stand for. */
    static boolean valid(String written) {
        return isReference(written) || of(CrawlVariables.replaced(written, "x"), new CrawlVariables(Map.of())).usable();
    }

    /** Whether a text has no password, or one that is a reference. */
    public static boolean hasNoSecret(String written) {
        Matcher form = FORM.matcher(written);
        return !form.matches() || form.group(1) == null || form.group(2) != null && isReference(form.group(2));
    }

    private static boolean isReference(String text) {
        return text.startsWith("$") && CrawlVariables.only(text);
    }

    /** The text for display. */
    static String shown(String written) {
        return hasNoSecret(written) && FORM.matcher(written).matches() ? written : Hidden.userInfo(written);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** Whether there is something to connect to. */
    public boolean usable() {
        return port > 0;
    }

    /** The value of the header {@code Proxy-Authorization}, if it wants to know who the crawler is. */
    public Optional<String> authorization() {
        return user.map(name -> "Basic " + Base64.getEncoder()
                .encodeToString((name + ":" + password.orElse("")).getBytes(StandardCharsets.UTF_8)));
    }

    /** {@code host:port}. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
