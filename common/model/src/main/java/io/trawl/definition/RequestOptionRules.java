package io.trawl.definition;

import io.trawl.model.Durations;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules for the options of a request, whether a seed, a link or a crawl names them. No fault shows a secret. Pure.
 */
public final class RequestOptionRules {
    /** The rule of {@link #proxy}. */
    public static final String PROXY = "http://host:port, with a port of 1 to 65535";
    /** The form of the name of a fetcher; only downloaders know which there are. */
    static final String FETCHER_FORM = "[a-z0-9-]{1,64}";
    /** The same in words. */
    static final String FETCHER = "the name of a fetcher, of 1 to 64 of a-z 0-9 -";
    /**
     * Options are copied into the request and each response, and metadata into those of every link, so the limit is far
     * below the record size of any topic.
     */
    private static final int LARGEST = 64 * 1024;
    /** Quotes, colon and comma of an entry in JSON. */
    private static final int ENTRY = 6;
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    /** The methods that Trawl sends. Others ask for no page, or would make a tunnel of the connection. */
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    /** The rule of {@link #method}. */
    public static final String METHOD = "one of " + String.join(", ", METHODS);
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD");
    private static final String HEADER = "names of letters, digits and -, values of visible ASCII characters";

    private RequestOptionRules() {}

    /** The faults of a request's options, in a fixed order of the options. */
    public static List<Fault> faults(FetchOptions options) {
        Optional<Fault> wait = options.waitTime().filter(w -> w.isNegative() || w.compareTo(LONGEST_WAIT) > 0)
                .map(w -> new Fault("wait", Durations.format(w), "0ms to 1h"));
        Optional<Fault> proxy = options.proxy().flatMap(RequestOptionRules::proxyFault);
        Optional<Fault> fetcher = options.fetcher().filter(name -> !name.matches(FETCHER_FORM))
                .map(name -> new Fault("fetcher", name, FETCHER));
        return Stream.concat(faults(options.headers(), options.cookie()), Stream
                .of(wait, proxy, fetcher, method(options), body(options), size(options)).flatMap(Optional::stream))
                .toList();
    }

    /** The same with another fetcher, if one is named. @throws InvalidValueException if it is no name of a fetcher */
    public static FetchOptions fetchedBy(FetchOptions options, Optional<String> fetcher) {
        fetcher.filter(name -> !name.matches(FETCHER_FORM)).ifPresent(name -> {
            throw new InvalidValueException("fetcher", name, FETCHER);
        });
        return fetcher.isPresent() ? options.withFetcher(fetcher) : options;
    }

    private static Optional<Fault> method(FetchOptions options) {
        return options.method().filter(name -> !method(name)).map(name -> new Fault("method", name, METHOD));
    }

    /** No fault shows a body, which may be long. */
    private static Optional<Fault> body(FetchOptions options) {
        Optional<String> rule = options.body().flatMap(text -> {
            if (WITHOUT_BODY.contains(options.methodName())) {
                return Optional.of("none with the method " + options.methodName());
            }
            return text.codePoints().allMatch(RequestOptionRules::isText)
                    ? Optional.empty()
                    : Optional.of("text in Unicode, without control characters but tab and line end");
        });
        return rule.map(broken -> new Fault("body", size(options.body().orElse("")) + " bytes", broken));
    }

    private static boolean isText(int c) {
        return !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE || c == '\t' || c == '\r'
                || c == '\n';
    }

    /** The faults of headers and a cookie. */
    public static Stream<Fault> faults(Map<String, String> headers, Optional<String> cookie) {
        return Stream.of(
                headers.entrySet().stream()
                        .filter(h -> !HeaderRules.name(h.getKey()) || !HeaderRules.value(h.getValue()))
                        .map(h -> new Fault("headers", h.getKey(), HEADER)),
                headers.keySet().stream().filter(HeaderRules::ofConnection)
                        .map(name -> new Fault("headers." + name, Hidden.TEXT,
                                "left out, since it belongs to the connection and not to a request")),
                cookie.filter(c -> !HeaderRules.value(c))
                        .map(_ -> new Fault("cookie", Hidden.TEXT, "visible ASCII characters and spaces")).stream(),
                headers.entrySet().stream().flatMap(h -> reference("headers." + h.getKey(), h.getValue()).stream()),
                cookie.flatMap(c -> reference("cookie", c)).stream()).flatMap(faults -> faults);
    }

    private static Optional<Fault> reference(String field, String value) {
        return CrawlVariables.fault(value, CrawlVariables.SECRET).map(rule -> new Fault(field, Hidden.TEXT, rule));
    }

    /** What is wrong with a proxy. */
    public static Optional<Fault> proxyFault(String proxy) {
        Optional<String> rule = CrawlVariables.fault(proxy, CrawlVariables.SECRET)
                .or(() -> ProxyAddress.valid(proxy) ? Optional.empty() : Optional.of(PROXY));
        return rule.map(broken -> new Fault("proxy", Hidden.userInfo(proxy), broken));
    }

    private static Optional<Fault> size(FetchOptions options) {
        int size = size(options.headers()) + size(options.metadata())
                + Stream.of(options.cookie(), options.proxy(), options.parser(), options.body())
                        .flatMap(Optional::stream).mapToInt(RequestOptionRules::size).sum();
        return size <= LARGEST
                ? Optional.empty()
                : Optional.of(new Fault("options", size + " bytes",
                        "headers, cookie, proxy, parser, metadata and body of at most " + LARGEST + " bytes together"));
    }

    private static int size(Map<String, String> map) {
        return map.entrySet().stream().mapToInt(e -> size(e.getKey()) + size(e.getValue()) + ENTRY).sum();
    }

    private static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Whether Trawl sends this method. */
    public static boolean method(String name) {
        return METHODS.contains(name);
    }

    /**
     * The valid characters of request headers: others would allow header injection by the author of a seed or a page
     * (RFC 9110, section 5). Pure.
     */
    public static final class HeaderRules {
        private static final String SIGNS = "!#$%&'*+-.^_`|~";

        /** Hop-by-hop headers (RFC 9110 section 7.6.1), and headers that would change the meaning of the URL. */
        private static final Set<String> CONNECTION = Set.of("host", "connection", "keep-alive", "proxy-connection",
                "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
                "http2-settings", "content-length", "expect");

        private HeaderRules() {}

        /** Whether no request may set it. */
        public static boolean ofConnection(String name) {
            return CONNECTION.contains(name.toLowerCase(Locale.ROOT));
        }

        /** Whether this is a valid header name. */
        public static boolean name(String text) {
            return !text.isEmpty()
                    && text.chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c) || SIGNS.indexOf(c) >= 0);
        }

        /** Whether this is a valid header value: visible ASCII characters, spaces and tabs. */
        public static boolean value(String text) {
            return text.chars().allMatch(c -> c == '\t' || c >= ' ' && c <= '~');
        }
    }
}
