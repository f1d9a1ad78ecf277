package io.trawl.downloader.fetch;

import io.trawl.model.Request;
import java.util.List;
import java.util.stream.Stream;
import io.trawl.control.HostCredentials;
import io.trawl.control.url.UrlHeaders;
import io.trawl.admission.HostKeyFactory;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlVariables;
import io.trawl.control.CrawlVariables.UnsetVariableException;
import io.trawl.downloader.fetch.FetchRequest.FetchTimeouts;
import io.trawl.model.FetchStyle;
import io.trawl.model.HostKey;
import io.trawl.scope.MediaTypeRules;
import java.util.Map;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings that a crawl adds to each of its fetches.
 *
 * @param userAgent the {@code User-Agent} header
 * @param style the other headers and their order
 * @param proxy {@code http://host:port} of the proxy, if the request names none
 * @param ignoreRobots the hosts, without ports, whose robots.txt does not apply
 * @param headers extra headers of requests for pages
 * @param cookie the {@code Cookie} header of requests for pages
 * @param timeouts shorter ones than those of the process
 * @param delay the pause between two requests of one fetch, as between two fetches of a host
 * @param fetcher the name of the fetcher, if the request names none
 * @param mediaTypes which pages are kept
 * @param rules headers of requests for some URLs
 * @param credentials of the crawler, by host
 * @param proxies of which each host has one, if the request names none
 * @param variables what references in headers, cookies and proxies stand for
 */
public record FetchProfile(String userAgent, FetchStyle style, Optional<String> proxy, Set<String> ignoreRobots,
        Map<String, String> headers, Optional<String> cookie, FetchTimeouts timeouts, Duration delay,
        Optional<String> fetcher, MediaTypeRules mediaTypes, List<UrlHeaders> rules, List<HostCredentials> credentials,
        List<String> proxies,
        CrawlVariables variables) {
    /** A profile without headers and time-outs of its own. */
    public FetchProfile(String userAgent, FetchStyle style, Optional<String> proxy, Set<String> ignoreRobots, Duration delay,
            Optional<String> fetcher) {
        this(userAgent, style, proxy, ignoreRobots, Map.of(), Optional.empty(), FetchTimeouts.NONE, delay, fetcher,
                MediaTypeRules.ALL, List.of(), List.of(), List.of(), new CrawlVariables(Map.of()));
    }

    /** A plain fetcher without a proxy. */
    public FetchProfile(String userAgent) {
        this(userAgent, FetchStyle.PLAIN, Optional.empty(), Set.of(), Duration.ZERO, Optional.empty());
    }

    /** The profile of a definition. */
    public static FetchProfile of(CrawlDefinition.FetchRules rules, CrawlVariables variables) {
        return new FetchProfile(rules.sentUserAgent(), rules.profile(), rules.proxy(), Set.copyOf(rules.ignoreRobots()),
                rules.headers(), rules.cookie(), new FetchTimeouts(rules.responseTimeout(), rules.totalTimeout()),
                rules.delay(), rules.fetcher(), MediaTypeRules.ALL, rules.rules(), rules.auth(),
                rules.proxies().isEmpty() ? List.of() : Stream.concat(rules.proxy().stream(), rules.proxies().stream()).toList(),
                variables);
    }

    /** The same that keeps only pages of these types. */
    public FetchProfile taking(MediaTypeRules types) {
        return new FetchProfile(userAgent, style, proxy, ignoreRobots, headers, cookie, timeouts, delay, fetcher, types, rules,
                credentials, proxies, variables);
    }

    /** Whether the robots.txt of a server does not apply, on whichever port. */
    public boolean ignoresRobots(HostKey server) {
        return !ignoreRobots.isEmpty() && HostKeyFactory.name(server).filter(ignoreRobots::contains).isPresent();
    }

    /**
     * The proxy, with the values of variables. A reference to one that is not set stays as it is, and is no address.
     */
    public Optional<String> resolvedProxy() {
        try {
            return proxy.map(variables::resolve);
        } catch (UnsetVariableException e) {
            return proxy;
        }
    }

    /** The same with the proxy of a request: its own, or else that of its host, which stays the same as long as the list does. */
    public FetchProfile through(Request request) {
        Optional<String> chosen = request.options().proxy().or(() -> proxies.isEmpty()
                ? Optional.empty()
                : Optional.of(proxies.get(Math.floorMod(HostKeyFactory.host(request.host()).hashCode(), proxies.size()))));
        return chosen.isPresent()
                ? new FetchProfile(userAgent, style, chosen, ignoreRobots, headers, cookie, timeouts, delay, fetcher, mediaTypes,
                        rules,
                        credentials, List.of(), variables)
                : this;
    }
}
