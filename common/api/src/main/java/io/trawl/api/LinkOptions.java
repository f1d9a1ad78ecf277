package io.trawl.api;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The options of the request that a link becomes: those of a seed, under the same rules. The analyzer checks them: a
 * link with an option that is not valid is not followed, and an error of the page names the option. Immutable.
 *
 * @param priority 0 to levels - 1, the larger first; empty: that of the page
 * @param headers extra request headers; they are sent if the link leads to the server (host and port) of its page, and
 * left out otherwise
 * @param cookie the value of the {@code Cookie} header; sent like {@code headers}
 * @param waitTime the minimum time between the previous response of the host and this request; the host's own delay
 * applies as well
 * @param proxy {@code http://host:port} of the proxy
 * @param parser the name of the parser to use instead of all parsers
 * @param metadata added to the metadata of the page, which every link inherits; an entry replaces one of the same name
 * @param fetcher the name of the fetcher, instead of the crawl's
 * @param method the HTTP method: {@code GET}, {@code HEAD}, {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE};
 * empty: {@code GET}
 * @param body the content of the request, which is sent as UTF-8; not with {@code GET} and {@code HEAD}
 */
public record LinkOptions(Optional<Integer> priority, Map<String, String> headers, Optional<String> cookie,
        Optional<Duration> waitTime, Optional<String> proxy, Optional<String> parser, Map<String, String> metadata,
        Optional<String> fetcher, Optional<String> method, Optional<String> body) {
    /** No options. */
    public static final LinkOptions NONE = new LinkOptions(Optional.empty(), Map.of(), Optional.empty(),
            Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty(), Optional.empty(),
            Optional.empty());

    /** Copies the maps. */
    public LinkOptions {
        headers = Map.copyOf(headers);
        metadata = Map.copyOf(metadata);
    }

    /**
     * A copy with this priority.
     *
     * @param level 0 to levels - 1, the larger first
     * @return the copy
     */
    public LinkOptions withPriority(int level) {
        return new LinkOptions(Optional.of(level), headers, cookie, waitTime, proxy, parser, metadata, fetcher, method,
                body);
    }

    /**
     * A copy with one more header.
     *
     * @param name its name
     * @param value its value
     * @return the copy
     */
    public LinkOptions withHeader(String name, String value) {
        return new LinkOptions(priority, with(headers, name, value), cookie, waitTime, proxy, parser, metadata, fetcher,
                method, body);
    }

    /**
     * A copy with this value of the {@code Cookie} header, for example {@code session=1; theme=dark}.
     *
     * @param value its value
     * @return the copy
     */
    public LinkOptions withCookie(String value) {
        return new LinkOptions(priority, headers, Optional.of(value), waitTime, proxy, parser, metadata, fetcher,
                method, body);
    }

    /**
     * A copy with this minimum time since the previous response of the host.
     *
     * @param time 0 to one hour
     * @return the copy
     */
    public LinkOptions withWait(Duration time) {
        return new LinkOptions(priority, headers, cookie, Optional.of(time), proxy, parser, metadata, fetcher, method,
                body);
    }

    /**
     * A copy with this proxy.
     *
     * @param url {@code http://host:port}
     * @return the copy
     */
    public LinkOptions withProxy(String url) {
        return new LinkOptions(priority, headers, cookie, waitTime, Optional.of(url), parser, metadata, fetcher, method,
                body);
    }

    /**
     * A copy for the parser of this name.
     *
     * @param name its name
     * @return the copy
     */
    public LinkOptions withParser(String name) {
        return new LinkOptions(priority, headers, cookie, waitTime, proxy, Optional.of(name), metadata, fetcher, method,
                body);
    }

    /**
     * A copy with one more entry of metadata.
     *
     * @param name its name
     * @param value its value
     * @return the copy
     */
    public LinkOptions withMetadata(String name, String value) {
        return new LinkOptions(priority, headers, cookie, waitTime, proxy, parser, with(metadata, name, value), fetcher,
                method, body);
    }

    /**
     * A copy for the fetcher of this name.
     *
     * @param name its name
     * @return the copy
     */
    public LinkOptions withFetcher(String name) {
        return new LinkOptions(priority, headers, cookie, waitTime, proxy, parser, metadata, Optional.of(name), method,
                body);
    }

    /**
     * A copy with this method. Whoever names another one than {@code GET} allows Trawl to send the request more than
     * once: after a failure, and after a crash.
     *
     * @param name {@code GET}, {@code HEAD}, {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
     * @return the copy
     */
    public LinkOptions withMethod(String name) {
        return new LinkOptions(priority, headers, cookie, waitTime, proxy, parser, metadata, fetcher, Optional.of(name),
                body);
    }

    /**
     * A copy with this body. Without a header {@code Content-Type} it is sent as
     * {@code application/x-www-form-urlencoded}.
     *
     * @param text without control characters but tab and line end
     * @return the copy
     */
    public LinkOptions withBody(String text) {
        return new LinkOptions(priority, headers, cookie, waitTime, proxy, parser, metadata, fetcher, method,
                Optional.of(text));
    }

    private static Map<String, String> with(Map<String, String> map, String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(name, value);
        return Collections.unmodifiableMap(more);
    }
}
