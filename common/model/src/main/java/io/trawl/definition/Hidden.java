package io.trawl.definition;

import io.trawl.field.Constraints;
import io.trawl.definition.url.UrlHeaders;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.model.Seed;
import java.util.Optional;
import java.util.List;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * How secrets of definitions and seeds are shown: as {@value #TEXT}. A caller who sends a shown definition back sends
 * that text, which stands for the unchanged value. Pure.
 */
public final class Hidden {
    /** Stands for a secret. */
    public static final String TEXT = Constraints.HIDDEN;
    /** The rule for a value that stands for a secret that is not known. */
    public static final String RULE = "the value itself: " + TEXT
            + " stands for an unchanged value of the same crawl, and there is none";
    /** Request headers whose values identify no one. All others are hidden: sites have names of their own for keys. */
    private static final Set<String> OPEN_HEADERS = Set.of("accept", "accept-charset", "accept-encoding",
            "accept-language", "cache-control", "dnt", "pragma", "upgrade-insecure-requests", "user-agent");

    private Hidden() {}

    /** A URL without user information. */
    public static String userInfo(String url) {
        int start = url.indexOf("//") + 2;
        if (start < 2) {
            return url;
        }
        int end = start;
        while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        int at = url.lastIndexOf('@', end - 1);
        return at < start ? url : url.substring(0, start) + TEXT + url.substring(at);
    }

    /** Only the server of a URL: user information, path and query may be secrets. */
    public static String beyondServer(String url) {
        String shown = userInfo(url);
        int path = shown.indexOf('/', Math.max(0, shown.indexOf("//")) + 2);
        int query = shown.indexOf('?');
        int end = path < 0 || query >= 0 && query < path ? query : path;
        return end < 0 || end == shown.length() - 1 ? shown : shown.substring(0, end) + "/" + TEXT;
    }

    /** Request headers without the values that may be secrets. */
    private static Map<String, String> headers(Map<String, String> headers) {
        Map<String, String> shown = new TreeMap<>();
        headers.forEach((name, value) -> shown.put(name,
                OPEN_HEADERS.contains(name.toLowerCase(Locale.ROOT)) ? value : value(value)));
        return shown;
    }

    /** A secret for display: a reference to a variable is none. */
    private static String value(String value) {
        return CrawlVariables.only(value) ? value : TEXT;
    }

    /** A seed for display. */
    static Seed seed(Seed seed) {
        boolean open = seed.headers().isEmpty() && seed.cookie().isEmpty() && seed.proxy().isEmpty()
                && seed.url().filter(u -> u.indexOf('@') >= 0).isEmpty();
        return open
                ? seed
                : seed.with(shown -> shown.url(seed.url().map(Hidden::userInfo)).headers(headers(seed.headers()))
                        .cookie(seed.cookie().map(Hidden::value)).proxy(seed.proxy().map(ProxyAddress::shown)));
    }

    /** The rules of fetches for display. Passwords and tokens are references, and so are no secrets. */
    static FetchRules fetch(FetchRules fetch) {
        return fetch.with(shown -> shown.headers(headers(fetch.headers())).cookie(fetch.cookie().map(Hidden::value))
                .proxy(fetch.proxy().map(ProxyAddress::shown)).rules(fetch.rules().stream().map(Hidden::rule).toList())
                .proxies(fetch.proxies().stream().map(ProxyAddress::shown).toList()));
    }

    private static UrlHeaders rule(UrlHeaders rule) {
        return new UrlHeaders(rule.match(), headers(rule.headers()), rule.cookie().map(Hidden::value), rule.method());
    }

    /** Those of a known rule for the same URLs. */
    private static UrlHeaders restored(UrlHeaders rule, List<UrlHeaders> known) {
        Optional<UrlHeaders> same = known.stream().filter(other -> other.match().equals(rule.match())).findFirst();
        return same
                .map(of -> new UrlHeaders(rule.match(), restored(rule.headers(), of.headers()),
                        rule.cookie().map(c -> restored(c, of.cookie().orElse(c), Hidden::value)), rule.method()))
                .orElse(rule);
    }

    /** The rules of fetches in which what is hidden has the values of known ones. */
    static FetchRules restored(FetchRules fetch, FetchRules known) {
        return fetch.with(restored -> restored.headers(restored(fetch.headers(), known.headers()))
                .cookie(fetch.cookie().map(c -> restored(c, known.cookie().orElse(c), Hidden::value)))
                .proxy(fetch.proxy().map(p -> restored(p, known.proxy().orElse(p), ProxyAddress::shown)))
                .rules(fetch.rules().stream().map(rule -> restored(rule, known.rules())).toList()));
    }

    private static Map<String, String> restored(Map<String, String> headers, Map<String, String> known) {
        Map<String, String> restored = new HashMap<>(headers);
        restored.replaceAll((name, value) -> restored(value, known.getOrDefault(name, value), Hidden::value));
        return restored;
    }

    /** A seed in which what is hidden has the values of a known one. */
    static Seed restored(Seed seed, Seed known) {
        return seed.with(restored -> restored.headers(restored(seed.headers(), known.headers()))
                .cookie(seed.cookie().map(c -> restored(c, known.cookie().orElse(c), Hidden::value)))
                .proxy(seed.proxy().map(p -> restored(p, known.proxy().orElse(p), ProxyAddress::shown))));
    }

    /** Whether a value stands for a secret, or has a part that does. */
    public static boolean in(String value) {
        return value.contains(TEXT);
    }

    /**
     * The known value if {@code written} is how it is shown, else {@code written}.
     *
     * @param shown how a value is shown
     */
    static String restored(String written, String known, UnaryOperator<String> shown) {
        return in(written) && shown.apply(known).equals(written) ? known : written;
    }
}
