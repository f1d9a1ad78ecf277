package io.trawl.coordinator.definition;

import io.trawl.codec.Json;
import io.trawl.control.Webhook;
import io.trawl.model.Durations;
import io.trawl.control.Hidden;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Request;
import io.trawl.model.Seed;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules for a seed's fetch options. Pure. */
public final class SeedRules {
    /**
     * A seed is copied into its request and each response, and its metadata into those of every link, so the limit is
     * far below the record size of any topic.
     */
    private static final int LARGEST = 64 * 1024;
    /** The rule of {@link #proxy}. */
    public static final String PROXY = "http://host:port, with a port of 1 to 65535";
    /** The rule of {@link #fetcher}. */
    public static final String FETCHER = "the name of a fetcher, of 1 to 64 of a-z 0-9 -";
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private SeedRules() {}

    /** The faults of a seed's options, at most {@link FaultCollector#MOST}; admission checks URL and priority. */
    public static List<Fault> faults(Seed seed) {
        Stream<Fault> headers = seed.headers().entrySet().stream()
                .flatMap(header -> header(header.getKey(), header.getValue()).stream());
        Optional<Fault> cookie = seed.cookie().filter(c -> !HeaderRules.value(c))
                .map(_ -> new Fault("cookie", Hidden.TEXT, "visible ASCII characters and spaces"))
                .or(() -> seed.cookie().filter(Hidden.TEXT::equals).map(c -> new Fault("cookie", c, Hidden.RULE)));
        Optional<Fault> depth = seed.depth().filter(d -> d < 0 || d > Request.LARGEST_DEPTH)
                .map(d -> new Fault("depth", d.toString(), "0 to " + Request.LARGEST_DEPTH));
        Optional<Fault> wait = seed.waitTime().filter(w -> w.isNegative() || w.compareTo(LONGEST_WAIT) > 0)
                .map(w -> new Fault("wait", Durations.format(w), "0ms to 1h"));
        Optional<Fault> proxy = seed.proxy().filter(p -> !proxy(p)).map(p -> new Fault("proxy", Hidden.userInfo(p), PROXY))
                .or(() -> seed.proxy().filter(Hidden::in).map(p -> new Fault("proxy", p, Hidden.RULE)));
        Optional<Fault> fetcher = seed.fetcher().filter(name -> !fetcher(name)).map(name -> new Fault("fetcher", name, FETCHER));
        return Stream.concat(headers, Stream.of(cookie, depth, wait, proxy, fetcher, size(seed)).flatMap(Optional::stream))
                .limit(FaultCollector.MOST).toList();
    }

    private static Optional<Fault> header(String name, String value) {
        if (!HeaderRules.name(name) || !HeaderRules.value(value)) {
            return Optional.of(
                    new Fault("headers", name, "names of letters, digits and -, values of visible ASCII characters"));
        }
        return value.equals(Hidden.TEXT) ? Optional.of(new Fault("headers." + name, Hidden.TEXT, Hidden.RULE)) : Optional.empty();
    }

    private static Optional<Fault> size(Seed seed) {
        int size = Json.bytes(seed.options()).length;
        return size <= LARGEST
                ? Optional.empty()
                : Optional.of(new Fault("options", size + " bytes",
                        "headers, cookie, proxy, parser and metadata of at most " + LARGEST + " bytes together, as JSON"));
    }

    /** Whether this can be the name of a fetcher. Only downloaders know which there are. */
    public static boolean fetcher(String name) {
        return name.matches("[a-z0-9-]{1,64}");
    }

    /** Whether this is a valid proxy. */
    public static boolean proxy(String text) {
        try {
            URI uri = URI.create(text);
            return "http".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0 && Webhook.port(uri);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * The valid characters of request headers: others would allow header injection by the author of a seed (RFC 9110,
     * section 5). Pure.
     */
    static final class HeaderRules {
        private static final String SIGNS = "!#$%&'*+-.^_`|~";

        private HeaderRules() {}

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
