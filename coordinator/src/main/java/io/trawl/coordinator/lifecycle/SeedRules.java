package io.trawl.coordinator.lifecycle;

import io.trawl.codec.Json;
import io.trawl.model.Durations;
import io.trawl.model.Seed;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What a seed may ask of its fetch. Pure. */
public final class SeedRules {
    /** A seed is copied into its request and each response, and its metadata into every link's: far below what any topic takes. */
    private static final int LARGEST = 64 * 1024;
    /** The rule of {@link #proxy}. */
    public static final String PROXY = "http://host:port";
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private SeedRules() {}

    /** The first fault of a seed's options; URL and priority are judged by admission. */
    public static Optional<Fault> fault(Seed seed) {
        for (Map.Entry<String, String> header : seed.headers().entrySet()) {
            if (!HeaderRules.name(header.getKey()) || !HeaderRules.value(header.getValue())) {
                return Optional.of(new Fault("headers", header.getKey(),
                        "names of letters, digits and -, values of visible ASCII characters"));
            }
        }
        Optional<Fault> cookie = seed.cookie().filter(c -> !HeaderRules.value(c))
                .map(c -> new Fault("cookie", c, "visible ASCII characters and blanks"));
        Optional<Fault> wait = seed.waitTime().filter(w -> w.isNegative() || w.compareTo(LONGEST_WAIT) > 0)
                .map(w -> new Fault("wait", Durations.format(w), "0ms to 1h"));
        Optional<Fault> proxy = seed.proxy().filter(p -> !proxy(p)).map(p -> new Fault("proxy", p, PROXY));
        return cookie.or(() -> wait).or(() -> proxy).or(() -> size(seed));
    }

    private static Optional<Fault> size(Seed seed) {
        int size = Json.bytes(seed.options()).length;
        return size <= LARGEST
                ? Optional.empty()
                : Optional.of(new Fault("options", size + " bytes",
                        "headers, cookie, proxy, parser and metadata of at most " + LARGEST + " bytes together, as JSON"));
    }

    /** Whether this is a proxy to go through. */
    public static boolean proxy(String text) {
        try {
            URI uri = URI.create(text);
            return "http".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
