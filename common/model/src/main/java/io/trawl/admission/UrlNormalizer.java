package io.trawl.admission;

import io.trawl.admission.Normalized.NormalUrl;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Brings URLs to their normal form. The rules are those of the WHATWG URL standard, which browsers apply to links,
 * followed by the equivalences of RFC 3986 section 6.2:
 * <ul>
 * <li>Surrounding blanks and control characters, and tabs and line breaks anywhere, are dropped; a backslash before the
 * query is a slash.</li>
 * <li>Scheme and host are lower case; an international name is written in ASCII, an IPv4 address as four decimal
 * numbers, whichever notation was used, an IPv6 address in its shortest form. One dot at the end of the host is
 * dropped: it is the same name for DNS, and no TLS server expects it.</li>
 * <li>A host that DNS cannot know (a label that is empty or longer than 63 characters, a name longer than 253,
 * characters other than letters, digits, hyphen and underscore) is refused, though browsers show it as a URL.</li>
 * <li>User information is dropped: it must not reach logs and records, and browsers do not send it for links. For
 * authentication, give the seed a header.</li>
 * <li>The default port and the fragment are dropped, an empty path is {@code /}, dot segments are resolved.</li>
 * <li>A percent-encoded unreserved character is written as itself; hex digits are upper case; characters that RFC 3986
 * does not allow in a path or query (blanks, brackets, a stray percent sign, everything beyond ASCII, as UTF-8; in the
 * queries of references on a page in its charset) is percent-encoded, and so is an apostrophe in a query. Reserved
 * characters stay as they were written.</li>
 * <li>Query parameters keep their order and number; an empty query keeps its {@code ?}; a slash at the end stays.</li>
 * </ul>
 * The result has three properties: normalising it again changes nothing, resolving it against any base returns it
 * unchanged, and {@link java.net.URI} parses it. Pure functions that never throw; a URL that is already in normal form
 * costs one scan and no copy.
 */
public final class UrlNormalizer {
    private static final int LONGEST_SHOWN = 300;

    private UrlNormalizer() {}

    /**
     * The normal form of an absolute URL; or NO_URL for an empty text, SCHEME for one that is neither http nor https,
     * BAD_URL for the rest.
     */
    public static Normalized normalize(String url) {
        int end = NormalFormScanner.end(url);
        return end < 0 ? UrlParser.absolute(url) : new NormalUrl(end == url.length() ? url : url.substring(0, end));
    }

    /**
     * The absolute URL of a reference on a page. For many references on one page, reuse the {@link BaseUrl}.
     *
     * @param base an absolute URL; if it has no normal form, the refusal is about it
     * @param reference absolute or relative; an empty one is the base itself
     */
    public static Normalized resolve(String base, String reference) {
        return resolve(base, reference, StandardCharsets.UTF_8);
    }

    /** The same on a page in a charset, in which the query is written. */
    public static Normalized resolve(String base, String reference, Charset charset) {
        return switch (normalize(base)) {
            case NormalUrl normal -> BaseUrl.of(normal, charset).resolve(reference);
            case Refusal refusal -> refusal;
        };
    }

    /**
     * The fragment of a reference with its {@code #}, percent-encoded as queries are; empty if it has none, or an empty
     * one. Requests have none: it is for URLs that are data.
     */
    public static String fragment(String reference) {
        return reference.indexOf('#') < 0 ? "" : UrlParser.fragment(reference);
    }

    /**
     * A raw URL as it may be shown to people and written to logs: without user information and control characters, and
     * not longer than 300 characters.
     */
    public static String shown(String raw) {
        String text = raw.length() > LONGEST_SHOWN ? raw.substring(0, LONGEST_SHOWN) + "…" : raw;
        int start = text.indexOf("//") + 2;
        int end = start < 2 ? 0 : UrlChars.authorityEnd(text, start);
        int at = end == 0 ? -1 : text.lastIndexOf('@', end - 1);
        String safe = at < start ? text : text.substring(0, start) + text.substring(at + 1);
        return safe.codePoints().map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
