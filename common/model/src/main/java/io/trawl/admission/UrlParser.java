package io.trawl.admission;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.model.RefusalReason;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One parse of one URL: the slow path, for everything that {@link NormalFormScanner} does not recognise. The states are
 * those of the WHATWG URL standard.
 */
final class UrlParser {
    private final String in;
    private final StringBuilder out;
    private final Charset queries;
    private int pathStart;

    private UrlParser(String in, int expected, Charset queries) {
        this.in = in;
        this.queries = queries;
        this.out = new StringBuilder(in.length() + expected);
    }

    /** Parses without a base. */
    static Normalized absolute(String raw) {
        return parse(raw, Optional.empty());
    }

    /** Parses a reference on a page. */
    static Normalized relative(BaseUrl base, String raw) {
        return parse(raw, Optional.of(base));
    }

    /** The fragment of a reference; see {@link UrlNormalizer#fragment}. */
    static String fragment(String raw) {
        String in = UrlChars.stripped(raw);
        int hash = in.indexOf('#');
        if (hash < 0 || hash == in.length() - 1) {
            return "";
        }
        UrlParser parser = new UrlParser(in, 0, StandardCharsets.UTF_8);
        parser.out.append('#');
        parser.encode(hash + 1, in.length(), StandardCharsets.UTF_8);
        return parser.out.toString();
    }

    private static Normalized parse(String raw, Optional<BaseUrl> base) {
        String in = UrlChars.stripped(raw);
        if (in.isEmpty() && base.isEmpty()) {
            return new Refusal(RefusalReason.NO_URL, "the URL is empty");
        }
        int colon = schemeEnd(in);
        if (colon < 0) {
            return base.map(b -> new UrlParser(in, b.folderEnd() + 8, b.queries()).reference(b, 0))
                    .orElseGet(() -> bad("it has no scheme: an absolute URL begins with http:// or https://"));
        }
        String scheme = colon == 4 && in.regionMatches(true, 0, "http", 0, 4)
                ? "http"
                : colon == 5 && in.regionMatches(true, 0, "https", 0, 5) ? "https" : "";
        if (scheme.isEmpty()) {
            return new Refusal(RefusalReason.SCHEME,
                    "the scheme '" + in.substring(0, Math.min(colon, 20)) + "' is neither http nor https");
        }
        // "http:page.html" on a page of the same scheme is relative, as in browsers.
        return base.filter(b -> b.url().startsWith(scheme + ':'))
                .map(b -> new UrlParser(in, b.folderEnd() + 8, b.queries()).reference(b, colon + 1))
                .orElseGet(() -> new UrlParser(in, 16, base.map(BaseUrl::queries).orElse(StandardCharsets.UTF_8))
                        .authority(scheme, colon + 1));
    }

    /** The index of the colon after a scheme, or -1. */
    private static int schemeEnd(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            if (c == ':') {
                return i == 0 ? -1 : i;
            }
            if (!letter && (i == 0 || !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.')) {
                return -1;
            }
        }
        return -1;
    }

    private static Refusal bad(String cause) {
        return new Refusal(RefusalReason.BAD_URL, cause);
    }

    private Normalized reference(BaseUrl base, int start) {
        String url = base.url();
        char first = start < in.length() ? in.charAt(start) : '#';
        if (first == '#') {
            return new NormalUrl(url);
        }
        if (first == '?') {
            out.append(url, 0, base.queryStart());
            return query(start);
        }
        if (!UrlChars.slash(first)) {
            out.append(url, 0, base.folderEnd());
            pathStart = base.pathStart();
            return path(start);
        }
        if (start + 1 < in.length() && UrlChars.slash(in.charAt(start + 1))) {
            return authority(url.substring(0, url.indexOf(':')), start);
        }
        out.append(url, 0, base.pathStart() + 1);
        pathStart = base.pathStart();
        return path(start + 1);
    }

    private Normalized authority(String scheme, int slashes) {
        int start = slashes;
        while (start < in.length() && UrlChars.slash(in.charAt(start))) {
            start++;
        }
        int end = UrlChars.authorityEnd(in, start);
        int host = Math.max(start, in.lastIndexOf('@', end - 1) + 1);
        int bracket = host < end && in.charAt(host) == '[' ? in.indexOf(']', host) : host;
        int colon = bracket < 0 ? -1 : in.indexOf(':', bracket);
        int hostEnd = colon < 0 || colon >= end ? end : colon;
        Optional<String> name = HostName.of(in.substring(host, hostEnd));
        if (name.isEmpty()) {
            return bad(host == hostEnd ? "it has no host" : "its host is not a valid name or address");
        }
        int port = port(Math.min(end, hostEnd + 1), end, scheme.length() == 5 ? 443 : 80);
        if (port < 0) {
            return bad("its port is not a number from 0 to 65535");
        }
        out.append(scheme).append("://").append(name.get());
        if (port != (scheme.length() == 5 ? 443 : 80)) {
            out.append(':').append(port);
        }
        pathStart = out.length();
        out.append('/');
        return path(end < in.length() && UrlChars.slash(in.charAt(end)) ? end + 1 : end);
    }

    private int port(int start, int end, int absent) {
        int port = start == end ? absent : 0;
        for (int i = start; i < end; i++) {
            char c = in.charAt(i);
            port = c < '0' || c > '9' ? -1 : port * 10 + c - '0';
            if (port < 0 || port > 65535) {
                return -1;
            }
        }
        return port;
    }

    /** Reads path segments; the output so far ends with a slash. */
    private Normalized path(int start) {
        int segment = out.length();
        int i = start;
        while (i < in.length()) {
            char c = in.charAt(i);
            if (UrlChars.path(c)) {
                int run = i++;
                while (i < in.length() && UrlChars.path(in.charAt(i))) {
                    i++;
                }
                out.append(in, run, i);
            } else if (UrlChars.slash(c)) {
                if (!dots(segment)) {
                    out.append('/');
                }
                segment = out.length();
                i++;
            } else if (c == '?' || c == '#') {
                break;
            } else {
                i = special(i);
            }
        }
        dots(segment);
        return query(i);
    }

    /**
     * Removes a dot segment that ends here, and for two dots also the segment before it; returns whether it was one.
     */
    private boolean dots(int segment) {
        int length = out.length() - segment;
        boolean dot = length > 0 && length < 3 && out.charAt(segment) == '.' && out.charAt(out.length() - 1) == '.';
        if (dot) {
            boolean up = length == 2 && segment - 1 > pathStart;
            out.setLength(up ? out.lastIndexOf("/", segment - 2) + 1 : segment);
        }
        return dot;
    }

    private Normalized query(int start) {
        if (start < in.length() && in.charAt(start) == '?') {
            out.append('?');
            int fragment = in.indexOf('#', start);
            encode(start + 1, fragment < 0 ? in.length() : fragment, queries);
        }
        return new NormalUrl(out.toString());
    }

    /** Writes what stands in a query or fragment. */
    private void encode(int start, int end, Charset charset) {
        int i = start;
        while (i < end) {
            int run = i;
            while (i < end && UrlChars.query(in.charAt(i))) {
                i++;
            }
            out.append(in, run, i);
            if (i < end) {
                i = in.charAt(i) < 0x80 || charset.equals(StandardCharsets.UTF_8)
                        ? special(i)
                        : encodeRun(i, end, charset);
            }
        }
    }

    /** Writes what is beyond ASCII, together, since an encoding may have a state. Returns the index after it. */
    private int encodeRun(int start, int end, Charset charset) {
        int i = start;
        while (i < end && in.charAt(i) >= 0x80) {
            i++;
        }
        UrlChars.encodeQuery(out, in.substring(start, i), charset);
        return i;
    }

    /**
     * Writes a sequence that needs care: a percent triple, or a character that must be encoded. Returns the index after
     * it.
     */
    private int special(int i) {
        if (in.charAt(i) != '%') {
            return UrlChars.encodeCodePoint(out, in, i);
        }
        int octet = UrlChars.encoded(in, i);
        if (octet < 0) {
            out.append("%25");
            return i + 1;
        }
        if (UrlChars.unreserved(octet)) {
            out.append((char) octet);
        } else {
            UrlChars.encode(out, octet);
        }
        return i + 3;
    }
}
