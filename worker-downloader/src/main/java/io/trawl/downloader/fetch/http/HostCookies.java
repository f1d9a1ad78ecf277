package io.trawl.downloader.fetch.http;

import io.trawl.definition.RequestOptionRules.HeaderRules;
import io.trawl.downloader.fetch.CookieJar;
import io.trawl.politeness.KeptSession.KeptCookie;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hc.client5.http.cookie.Cookie;
import org.apache.hc.client5.http.cookie.CookieOrigin;
import org.apache.hc.client5.http.cookie.CookieSpec;
import org.apache.hc.client5.http.cookie.MalformedCookieException;
import org.apache.hc.client5.http.cookie.SetCookie;
import org.apache.hc.client5.http.impl.cookie.BasicDomainHandler;
import org.apache.hc.client5.http.impl.cookie.BasicHttpOnlyHandler;
import org.apache.hc.client5.http.impl.cookie.BasicPathHandler;
import org.apache.hc.client5.http.impl.cookie.BasicSecureHandler;
import org.apache.hc.client5.http.impl.cookie.LaxExpiresHandler;
import org.apache.hc.client5.http.impl.cookie.LaxMaxAgeHandler;
import org.apache.hc.client5.http.impl.cookie.RFC6265CookieSpec;
import org.apache.hc.core5.http.message.BasicHeader;

/**
 * The cookies of one host and port, which go to no other one, whatever their {@code Domain} says. At most
 * {@value #MOST}, of at most {@value #LARGEST} bytes together: the oldest go first. Thread-safe.
 */
public final class HostCookies implements CookieJar {
    private static final int MOST = 50;
    private static final int LONGEST = 4096;
    private static final int LARGEST = 16 * 1024;
    private static final Pattern NO_DOMAIN = Pattern.compile(";[ \t]*+domain[ \t]*+=[ \t]*+(?=;|$)",
            Pattern.CASE_INSENSITIVE);
    private static final CookieSpec SPEC = new LaxSpec();
    private final Time time;
    private final List<KeptCookie> cookies;
    private long changes;

    /** With the cookies that were kept before. */
    public HostCookies(List<KeptCookie> kept, Time time) {
        this.cookies = new ArrayList<>(kept);
        this.time = time;
    }

    /** That of the client, but a date that cannot be read makes a cookie of the session (RFC 6265 section 5.2.1). */
    private static final class LaxSpec extends RFC6265CookieSpec {
        LaxSpec() {
            super(new BasicPathHandler() {
                @Override
                public void parse(SetCookie cookie, String value) throws MalformedCookieException {
                    if (value != null && value.startsWith("/")) {
                        super.parse(cookie, value);
                    }
                }
            }, BasicDomainHandler.INSTANCE, LaxMaxAgeHandler.INSTANCE, BasicSecureHandler.INSTANCE,
                    BasicHttpOnlyHandler.INSTANCE, new LaxExpiresHandler() {
                        @Override
                        public void parse(SetCookie cookie, String value) {
                            try {
                                super.parse(cookie, value);
                            } catch (MalformedCookieException e) {
                                // As if the attribute were not there.
                            }
                        }
                    });
        }
    }

    /** What belongs to a URL in normal form. */
    private record Origin(boolean secure, CookieOrigin origin) {
        static Origin of(String url) {
            boolean secure = url.startsWith("https:");
            int authority = url.indexOf("//") + 2;
            int path = end(url, authority, "/?#");
            String server = url.substring(
                    url.lastIndexOf('@', path - 1) < authority ? authority : url.lastIndexOf('@', path - 1) + 1, path);
            int port = server.lastIndexOf(':') > server.lastIndexOf(']') ? server.lastIndexOf(':') : server.length();
            String way = url.substring(path, end(url, path, "?#"));
            return new Origin(secure,
                    new CookieOrigin(server.substring(0, port), secure ? 443 : 80, way.isEmpty() ? "/" : way, secure));
        }

        private static int end(String url, int from, String signs) {
            int end = from;
            while (end < url.length() && signs.indexOf(url.charAt(end)) < 0) {
                end++;
            }
            return end;
        }
    }

    @Override
    public synchronized void take(String url, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        CookieOrigin origin = Origin.of(url).origin();
        for (String line : lines) {
            if (line.length() <= LONGEST && HeaderRules.value(line)) {
                try {
                    for (Cookie cookie : SPEC.parse(new BasicHeader("Set-Cookie", readable(line)), origin)) {
                        SPEC.validate(cookie, origin);
                        put(new KeptCookie(cookie.getName(), value(line), cookie.getPath(), cookie.isSecure(),
                                Optional.ofNullable(cookie.getExpiryInstant())));
                    }
                } catch (MalformedCookieException e) {
                    // As a browser does.
                }
            }
        }
    }

    /**
     * A quote within an attribute is a character, and a domain without a name is none (RFC 6265 section 5.2), but not
     * for the parser of the client.
     */
    private static String readable(String line) {
        int pair = end(line);
        return line.substring(0, pair) + NO_DOMAIN.matcher(line.substring(pair).replace('"', '\'')).replaceAll("");
    }

    private static int end(String line) {
        int end = line.indexOf(';');
        return end < 0 ? line.length() : end;
    }

    /** As it is: the parser of the client takes quotes away, which belong to the value (RFC 6265 section 5.2). */
    private static String value(String line) {
        String pair = line.substring(0, end(line));
        return pair.substring(pair.indexOf('=') + 1).strip();
    }

    private void put(KeptCookie cookie) {
        Optional<KeptCookie> before = cookies.stream()
                .filter(other -> other.name().equals(cookie.name()) && other.path().equals(cookie.path())).findFirst();
        if (before.filter(cookie::equals).isPresent()) {
            return;
        }
        boolean gone = expired(cookie, time.now());
        if (gone && before.isEmpty()) {
            return;
        }
        before.ifPresent(cookies::remove);
        if (!gone) {
            cookies.add(cookie);
        }
        while (cookies.size() > MOST || cookies.stream().mapToInt(HostCookies::size).sum() > LARGEST) {
            cookies.removeFirst();
        }
        changes++;
    }

    private static boolean expired(KeptCookie cookie, Instant now) {
        return cookie.expires().filter(end -> !end.isAfter(now)).isPresent();
    }

    private static int size(KeptCookie cookie) {
        return cookie.name().length() + cookie.value().length() + cookie.path().length();
    }

    @Override
    public synchronized List<String> pairs(String url) {
        Origin at = Origin.of(url);
        Instant now = time.now();
        return cookies.stream()
                .filter(cookie -> !expired(cookie, now) && (!cookie.secure() || at.secure())
                        && isFor(cookie.path(), at.origin().getPath()))
                .sorted(Comparator.comparingInt(cookie -> -cookie.path().length()))
                .map(cookie -> cookie.name() + "=" + cookie.value()).toList();
    }

    /** RFC 6265 section 5.1.4. */
    private static boolean isFor(String path, String of) {
        return of.startsWith(path)
                && (path.endsWith("/") || of.length() == path.length() || of.charAt(path.length()) == '/');
    }

    /** All that have not expired. */
    public synchronized List<KeptCookie> kept() {
        Instant now = time.now();
        return cookies.stream().filter(cookie -> !expired(cookie, now)).toList();
    }

    /** A digest of names, values and paths of all, in any order. */
    public String state() {
        return Integer.toHexString(kept().stream().map(cookie -> List.of(cookie.name(), cookie.value(), cookie.path()))
                .collect(Collectors.toSet()).hashCode());
    }

    /** How often they have changed. */
    public synchronized long changes() {
        return changes;
    }
}
