package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Locale;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The options of one request's fetch. Links on the page inherit only {@code metadata}.
 *
 * @param headers extra request headers
 * @param cookie the value of the {@code Cookie} header
 * @param waitTime the minimum time between the previous response of the host and this request; the host's own delay
 * applies as well
 * @param proxy {@code http://host:port} of the proxy
 * @param parser the name of the response parser to use instead of all parsers
 * @param metadata user-defined values, copied to the item
 * @param fetcher the name of the fetcher, instead of the crawl's
 * @param method the HTTP method; empty: GET
 * @param body the content that is sent, as UTF-8; empty: none
 * @param again whether a redirect asks for a URL once more that led to it, since the cookies of its host have changed
 * @param version of a robots.txt that an archive is to have, the digest of the file that was obeyed, or
 * {@link #NO_FILE}: it is fetched once for each
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FetchOptions(Map<String, String> headers, Optional<String> cookie,
        @JsonProperty("wait") Optional<Duration> waitTime, Optional<String> proxy, Optional<String> parser,
        Map<String, String> metadata, Optional<String> fetcher, Optional<String> method, Optional<String> body,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean again,
        Optional<String> version) implements FetchOptionsBuilder.With {
    /** The name of the parser of robots.txt, which names sitemaps. */
    public static final String ROBOTS = "robots";
    /** The name of the parser of sitemaps and feeds. */
    public static final String SITEMAP = "sitemap";
    /** The name of the parser of what a page needs to look as it does. */
    public static final String REQUISITE = "requisite";
    /** The version of a robots.txt that a host does not have. */
    public static final String NO_FILE = "none";
    /** The largest sitemap, without compression, in bytes (sitemaps.org). */
    public static final int LARGEST_SITEMAP = 50 << 20;
    /** The name of the built-in fetcher, which returns bodies as they are. */
    public static final String HTTP = "http";
    /** How names of metadata begin that belong to one request alone. */
    private static final String OWN_METADATA = SITEMAP + ".";
    /** The method of a request that names none. */
    public static final String GET = "GET";
    private static final String HEAD = "HEAD";
    private static final String POST = "POST";
    private static final String CONTENT_TYPE = "content-type";
    /** The headers that describe a body (RFC 9110 section 8). */
    private static final Set<String> OF_BODIES = Set.of(CONTENT_TYPE, "content-encoding", "content-language",
            "content-location");
    /** No options. */
    public static final FetchOptions NONE = FetchOptionsBuilder.builder().build();

    /**
     * Copies the maps; an absent map is an empty one. A GET that is named is the same as none, and so is an empty body.
     */
    @SuppressWarnings("ConstantValue")
    public FetchOptions {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
        method = method.filter(name -> !name.equals(GET));
        body = body.filter(text -> !text.isEmpty());
    }

    /** The HTTP method, also if it is GET. */
    public String methodName() {
        return method.orElse(GET);
    }

    /** Whether this is a request for a source of links: it is read for the URLs that it names, and makes no item. */
    public boolean source() {
        return parser.filter(FetchOptions::source).isPresent();
    }

    /** Whether a parser reads sources. @param parser its name */
    public static boolean source(String parser) {
        return parser.equals(ROBOTS) || parser.equals(SITEMAP);
    }

    /** Whether this is a request for a requisite of a page, which makes no item. */
    public boolean requisite() {
        return parser.filter(REQUISITE::equals).isPresent();
    }

    /** Whether this is a request for a page: neither for a source of links nor for a requisite. */
    public boolean page() {
        return parser.filter(FetchOptions::besidePages).isEmpty();
    }

    /** Whether requests that name this parser are for no page. */
    public static boolean besidePages(String parser) {
        return source(parser) || parser.equals(REQUISITE);
    }

    /** The options of a request for a requisite. */
    public static FetchOptions ofRequisite() {
        return readBy(REQUISITE);
    }

    /** The options of a request for a source. @param parser {@link #ROBOTS} or {@link #SITEMAP} */
    public static FetchOptions ofSource(String parser) {
        return readBy(parser);
    }

    private static FetchOptions readBy(String parser) {
        return NONE.with(options -> options.parser(Optional.of(parser)).fetcher(Optional.of(HTTP)));
    }

    /** The same with a method. */
    public FetchOptions by(String name) {
        return withMethod(Optional.of(name));
    }

    /** The same with further headers. */
    public FetchOptions with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(more);
        return withHeaders(all);
    }

    /** The options that the links of a page inherit: only the metadata. */
    public FetchOptions inherited() {
        Map<String, String> passedOn = inheritedMetadata();
        return passedOn.isEmpty() ? NONE : NONE.withMetadata(passedOn);
    }

    /** The metadata that the links of a page inherit: all but what a sitemap says about that page. */
    public Map<String, String> inheritedMetadata() {
        return metadata.keySet().stream().noneMatch(name -> name.startsWith(OWN_METADATA))
                ? metadata
                : metadata.entrySet().stream().filter(entry -> !entry.getKey().startsWith(OWN_METADATA))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * The options for the target of a redirect. A 303, and a 301 or 302 of a POST, ask for a GET without body; others
     * keep method and body (RFC 9110 section 15.4, and Fetch, section HTTP-redirect fetch).
     */
    public FetchOptions redirected(int status) {
        boolean asksForGet = switch (status) {
            case 301, 302 -> methodName().equals(POST);
            case 303 -> !methodName().equals(HEAD);
            default -> false;
        };
        return asksForGet && method.isPresent()
                ? with(options -> options.headers(headers(name -> !OF_BODIES.contains(name))).method(Optional.empty())
                        .body(Optional.empty()))
                : this;
    }

    /**
     * The options for another server: without cookie and headers, but for the type of the body, which means nothing
     * without it.
     */
    public FetchOptions forAnotherServer() {
        return with(options -> options.headers(headers(name -> name.equals(CONTENT_TYPE) && body.isPresent()))
                .cookie(Optional.empty()));
    }

    /** Only what belongs to the identity of the request. */
    FetchOptions ofIdentity() {
        return method.isEmpty() && body.isEmpty() && page() && !again
                ? NONE
                : NONE.with(options -> options.parser(parser.filter(_ -> !page())).method(method).body(body)
                        .again(again).version(version));
    }

    private Map<String, String> headers(Predicate<String> lowerCaseName) {
        return headers.entrySet().stream()
                .filter(header -> lowerCaseName.test(header.getKey().toLowerCase(Locale.ROOT)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
