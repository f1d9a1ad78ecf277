package io.trawl.downloader.fetch;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.model.Request;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import io.trawl.definition.HostCredentials;
import io.trawl.definition.url.UrlHeaders;
import io.trawl.admission.HostKeyFactory;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.ProxyAddress;
import io.trawl.definition.FetchStyle;
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
 * @param ignoreRobots the hosts, without ports, whose robots.txt does not apply
 * @param headers extra headers of requests for pages
 * @param cookie the {@code Cookie} header of requests for pages
 * @param timeouts shorter ones than those of the process
 * @param delay the pause between two requests of one fetch, as between two fetches of a host
 * @param fetcher the name of the fetcher, if the request names none
 * @param mediaTypes which pages are kept
 * @param rules headers of requests for some URLs
 * @param credentials of the crawler, by host
 * @param proxies through one of which each host is asked, in the order in which they are tried
 * @param variables what references in headers, cookies and proxies stand for
 * @param session whether it keeps sessions at hosts
 * @param archived whether what an archive holds is kept
 * @param plain whether no page is asked for conditionally, as {@link io.trawl.control.RunVisits#plain}
 * @param replay the archive that answers instead of the web
 */
@RecordBuilder
public record FetchProfile(String userAgent, FetchStyle style, Set<String> ignoreRobots, Map<String, String> headers,
        Optional<String> cookie, FetchTimeouts timeouts, Duration delay, Optional<String> fetcher,
        MediaTypeRules mediaTypes, List<UrlHeaders> rules, List<HostCredentials> credentials,
        List<ProxyAddress> proxies, CrawlVariables variables, SessionProfile session, boolean archived, boolean plain,
        Optional<String> replay) implements FetchProfileBuilder.With {
    /** A plain fetcher without a proxy, and without a pause. */
    public FetchProfile(String userAgent) {
        this(userAgent, FetchStyle.PLAIN, Set.of(), Map.of(), Optional.empty(), FetchTimeouts.NONE, Duration.ZERO,
                Optional.empty(), MediaTypeRules.ALL, List.of(), List.of(), List.of(), new CrawlVariables(Map.of()),
                SessionProfile.GUEST, false, false, Optional.empty());
    }

    /** The profile of a definition. */
    public static FetchProfile of(CrawlDefinition.FetchRules rules, CrawlVariables variables) {
        return new FetchProfile(rules.sentUserAgent()).with(profile -> profile.style(rules.profile())
                .ignoreRobots(Set.copyOf(rules.ignoreRobots())).headers(rules.headers()).cookie(rules.cookie())
                .timeouts(new FetchTimeouts(rules.responseTimeout(), rules.totalTimeout())).delay(rules.delay())
                .fetcher(rules.fetcher()).rules(rules.rules()).credentials(rules.auth())
                .proxies(Stream.concat(rules.proxy().stream(), rules.proxies().stream()).distinct()
                        .map(written -> ProxyAddress.of(written, variables)).toList())
                .variables(variables)
                .session(rules.replay().isPresent() ? SessionProfile.GUEST : SessionProfile.of(rules))
                .replay(rules.replay()));
    }

    /**
     * Whether the robots.txt of a server does not apply, on whichever port. What is in an archive was permitted when it
     * was fetched.
     */
    public boolean ignoresRobots(HostKey server) {
        return replay.isPresent()
                || !ignoreRobots.isEmpty() && HostKeyFactory.name(server).filter(ignoreRobots::contains).isPresent();
    }

    /**
     * The same for one request: with its own proxy, or else with those of the crawl in the order of its host, which
     * stays the same for all hosts whose first choice is not taken out of the list.
     */
    public FetchProfile through(Request request) {
        return request.options().proxy().map(own -> withProxies(List.of(ProxyAddress.of(own, variables)))).orElseGet(
                () -> proxies.size() < 2 ? this : withProxies(inOrderOf(HostKeyFactory.host(request.host()))));
    }

    /** The hosts whose addresses a request needs: its own, or those of its proxies, which look its own up. */
    public List<String> names(Request request) {
        List<ProxyAddress> through = request.options().proxy().map(own -> List.of(ProxyAddress.of(own, variables)))
                .orElse(proxies);
        String server = request.host().value();
        // The key of a foreign record may have no port; its request names no host.
        int port = server.lastIndexOf(':');
        return through.isEmpty()
                ? port < 0 ? List.of() : List.of(server.substring(0, port))
                : through.stream().filter(ProxyAddress::usable).map(ProxyAddress::host).toList();
    }

    /** Rendezvous hashing: each host has an order of its own, and proxies that come or go move no other hosts. */
    private List<ProxyAddress> inOrderOf(String host) {
        return proxies.stream().sorted(Comparator.comparingLong(proxy -> rank(host, proxy.written()))).toList();
    }

    /** Two hash codes, mixed as by the finalizer of MurmurHash3. */
    private static long rank(String host, String proxy) {
        long mixed = ((long) host.hashCode() << 32) ^ (proxy.hashCode() & 0xffffffffL);
        mixed = (mixed ^ mixed >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }

    /**
     * Time-outs of a crawl. Those of the process remain the limit: a longer one has no effect.
     *
     * @param response the longest silence of the server
     * @param total the longest time for the whole fetch
     */
    public record FetchTimeouts(Optional<Duration> response, Optional<Duration> total) {
        /** Those of the process. */
        public static final FetchTimeouts NONE = new FetchTimeouts(Optional.empty(), Optional.empty());

        /** The longest silence, given that of the process. */
        public Duration response(Duration limit) {
            return response.filter(own -> own.compareTo(limit) < 0).orElse(limit);
        }

        /** The longest time, given that of the process. */
        public Duration total(Duration limit) {
            return total.filter(own -> own.compareTo(limit) < 0).orElse(limit);
        }
    }
}
