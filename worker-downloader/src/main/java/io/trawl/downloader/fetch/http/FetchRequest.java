package io.trawl.downloader.fetch.http;

import io.trawl.definition.ProxyAddress;
import io.trawl.downloader.fetch.CookieJar;
import io.trawl.downloader.fetch.FetchProfile.FetchTimeouts;
import io.trawl.scope.MediaTypeRules;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request to send.
 *
 * @param method the HTTP method
 * @param content the body
 * @param proxies through the first of which that lets it through it is sent; empty: without a proxy
 * @param bodyLimit of the body of the answer
 * @param mediaTypes of which types a body is received
 * @param timeouts shorter ones than those of the process
 * @param compressed whether a body that is compressed with gzip stays so, and one that is not gets so: that of a
 * sitemap, which may be larger than the limit
 * @param cookies take those that the answer sets; then they are no header of it
 * @param archived whether what an archive holds is kept, bodies of errors included
 */
public record FetchRequest(String method, String url, Map<String, String> headers, Optional<String> content,
        List<ProxyAddress> proxies, int bodyLimit, MediaTypeRules mediaTypes, FetchTimeouts timeouts,
        boolean compressed, Optional<CookieJar> cookies, boolean archived) {
    /** A GET with the time-outs of the process. */
    public FetchRequest(String url, Map<String, String> headers, List<ProxyAddress> proxies, int bodyLimit) {
        this("GET", url, headers, Optional.empty(), proxies, bodyLimit, MediaTypeRules.ALL, FetchTimeouts.NONE, false,
                Optional.empty(), false);
    }

    /** Copies the headers; they are sent in the map's order. */
    public FetchRequest {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The same with at most this much time for all of it. */
    FetchRequest within(Duration left) {
        return new FetchRequest(method, url, headers, content, proxies, bodyLimit, mediaTypes,
                new FetchTimeouts(timeouts.response(), Optional.of(left)), compressed, cookies, archived);
    }
}
