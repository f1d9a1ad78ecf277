package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.coding.ContentDecoder;
import io.trawl.admission.HostKeyFactory;
import io.trawl.pattern.UrlParts;
import io.trawl.definition.HostCredentials;
import io.trawl.definition.url.UrlHeaders;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.RequestOptionRules.HeaderRules;
import io.trawl.definition.CrawlVariables.UnsetVariableException;
import io.trawl.model.FetchOptions;
import io.trawl.definition.FetchStyle;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The headers of a request: those of the crawl, overridden by those of the request, without hop-by-hop headers. They
 * are sent in this order; the client adds {@code Host} and {@code Connection}.
 */
public final class RequestHeaders {
    /** The codings that {@link ContentDecoder} supports. */
    static final String CODINGS = "gzip, br, zstd, deflate";
    private static final String ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    private static final String BROWSER_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,"
            + "image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";
    /** The type of a body that names none. */
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final Set<String> OF_CONDITIONS = Set.of("if-none-match", "if-modified-since", "if-match",
            "if-unmodified-since", "if-range", "range");

    private RequestHeaders() {}

    /** A header that no request may set; the message is for the user who set it. */
    public static final class ForbiddenHeader extends Exception {
        ForbiddenHeader(String message) {
            super(message);
        }
    }

    /**
     * The headers of a page request.
     *
     * @throws ForbiddenHeader if the request sets one that it may not set
     */
    public static Map<String, String> of(String url, FetchOptions options, FetchProfile profile)
            throws ForbiddenHeader {
        Map<String, String> headers = profile.style() == FetchStyle.BROWSER
                ? browser(url, profile.userAgent())
                : defaults(profile.userAgent(), ACCEPT);
        if (options.source()) {
            headers.put("Accept-Encoding", ContentDecoder.GZIP);
        }
        if (options.requisite()) {
            headers.put("Accept", "*/*");
        }
        put(headers, profile.headers(), profile.cookie(), profile.variables());
        UrlParts parts = UrlParts.of(url);
        for (UrlHeaders rule : profile.rules()) {
            if (rule.areFor(parts)) {
                put(headers, rule.headers(), rule.cookie(), profile.variables());
            }
        }
        for (HostCredentials credentials : profile.credentials()) {
            if (credentials.areFor(HostKeyFactory.of(url))) {
                put(headers, "Authorization", authorization(credentials, profile.variables()));
            }
        }
        put(headers, options.headers(), options.cookie(), profile.variables());
        profile.session().cookies().ifPresent(cookies -> addCookies(headers, cookies.pairs(url)));
        if (options.body().isPresent() && headers.keySet().stream().noneMatch("Content-Type"::equalsIgnoreCase)) {
            headers.put("Content-Type", FORM);
        }
        return headers;
    }

    /**
     * Adds the validators of a page that was visited before (RFC 9110, section 13). A server that knows both takes the
     * entity tag.
     *
     * @param archived whether the crawl has an archive
     * @return false if it has none, or the request has a condition or a range of its own
     */
    static boolean addValidators(Request request, boolean archived, Map<String, String> headers) {
        Optional<Visit> visit = request.visit().filter(known -> known.conditional(archived))
                .filter(_ -> request.options().methodName().equals(FetchOptions.GET)).filter(_ -> headers.keySet()
                        .stream().map(name -> name.toLowerCase(Locale.ROOT)).noneMatch(OF_CONDITIONS::contains));
        visit.flatMap(Visit::etag).ifPresent(tag -> headers.put("If-None-Match", tag));
        visit.flatMap(Visit::lastModified).ifPresent(date -> headers.put("If-Modified-Since", date));
        return visit.isPresent();
    }

    private static void put(Map<String, String> headers, Map<String, String> own, Optional<String> cookie,
            CrawlVariables variables) throws ForbiddenHeader {
        if (cookie.isPresent()) {
            put(headers, "Cookie", resolved("Cookie", cookie.get(), variables));
        }
        for (var header : own.entrySet()) {
            put(headers, header.getKey(), resolved(header.getKey(), header.getValue(), variables));
        }
    }

    /** What a host has set takes the place of a cookie of the same name that the crawl names. */
    private static void addCookies(Map<String, String> headers, List<String> pairs) {
        if (!pairs.isEmpty()) {
            String name = headers.keySet().stream().filter("Cookie"::equalsIgnoreCase).findFirst().orElse("Cookie");
            Set<String> set = pairs.stream().map(RequestHeaders::nameOf).collect(Collectors.toSet());
            headers.put(name,
                    Stream.concat(Stream.of(headers.getOrDefault(name, "").split(";")).map(String::strip)
                            .filter(own -> !own.isEmpty() && !set.contains(nameOf(own))), pairs.stream())
                            .collect(Collectors.joining("; ")));
        }
    }

    private static String nameOf(String pair) {
        int end = pair.indexOf('=');
        return end < 0 ? pair : pair.substring(0, end);
    }

    private static String authorization(HostCredentials credentials, CrawlVariables variables) throws ForbiddenHeader {
        try {
            return credentials.authorization(variables);
        } catch (UnsetVariableException e) {
            throw new ForbiddenHeader(
                    "the credentials for " + credentials.host() + " cannot be sent: " + e.getMessage());
        }
    }

    private static String resolved(String name, String value, CrawlVariables variables) throws ForbiddenHeader {
        try {
            return variables.resolve(value);
        } catch (UnsetVariableException e) {
            throw new ForbiddenHeader("the header '" + name + "' cannot be sent: " + e.getMessage());
        }
    }

    /** The headers of every plain GET. The map may be changed. */
    public static Map<String, String> defaults(String userAgent, String accept) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("User-Agent", userAgent);
        headers.put("Accept", accept);
        headers.put("Accept-Language", "en,*;q=0.5");
        headers.put("Accept-Encoding", CODINGS);
        return headers;
    }

    /**
     * The headers that Chrome sends for a typed address, without those that identify the browser. For a site without
     * TLS it sends no {@code Sec-Fetch} headers (Fetch Metadata section 2) and accepts only the two old codings.
     */
    private static Map<String, String> browser(String url, String userAgent) {
        boolean secure = url.regionMatches(true, 0, "https:", 0, 6);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Upgrade-Insecure-Requests", "1");
        headers.put("User-Agent", userAgent);
        headers.put("Accept", BROWSER_ACCEPT);
        if (secure) {
            headers.put("Sec-Fetch-Site", "none");
            headers.put("Sec-Fetch-Mode", "navigate");
            headers.put("Sec-Fetch-User", "?1");
            headers.put("Sec-Fetch-Dest", "document");
        }
        headers.put("Accept-Encoding", secure ? "gzip, deflate, br, zstd" : "gzip, deflate");
        headers.put("Accept-Language", "en-US,en;q=0.9");
        return headers;
    }

    private static void put(Map<String, String> headers, String name, String value) throws ForbiddenHeader {
        if (HeaderRules.ofConnection(name)) {
            throw new ForbiddenHeader(
                    "the header '" + name + "' belongs to the connection and cannot be set by a request");
        }
        if (name.isEmpty() || !name.chars().allMatch(RequestHeaders::isTokenChar)) {
            throw new ForbiddenHeader("'" + name.replaceAll("\\p{Cntrl}", "?") + "' is not the name of a header");
        }
        if (value.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 0x7f)) {
            throw new ForbiddenHeader("the value of the header '" + name + "' contains a control character");
        }
        headers.put(headers.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name), value);
    }

    private static boolean isTokenChar(int c) {
        return c > ' ' && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
}
