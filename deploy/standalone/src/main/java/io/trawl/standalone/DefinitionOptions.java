package io.trawl.standalone;

import io.trawl.admission.AcceptedName;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.lifecycle.SeedRules;
import io.trawl.model.CrawlId;
import io.trawl.model.FetchStyle;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValue;
import io.trawl.model.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a crawl is to do, as options: the same for {@code crawl} and {@code submit}. Nothing is asked of any server here. */
public final class DefinitionOptions {
    private static final int DEEPEST = 65_535;
    private static final int MOST_LEVELS = 10;
    private static final Duration SHORTEST_TIME = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofHours(1);

    @Option(names = "--depth", paramLabel = "N", defaultValue = ""
            + CrawlDefinition.DEFAULT_DEPTH, description = "Links away from a URL given that are still fetched; -1: no limit. Default: ${DEFAULT-VALUE}.")
    private int depth;

    @Option(names = "--domain", paramLabel = "NAME", description = "A domain or host to stay in; can be repeated. Default: the domains of the URLs given.")
    private List<String> domains = List.of();

    @Option(names = "--max-pages", paramLabel = "N", description = "Stop after so many pages (and those in flight); a higher number goes on. Default: no limit.")
    private @Nullable Long maxPages;

    @Option(names = "--max-bytes", paramLabel = "N", description = "Stop after so many bytes of bodies (and those in flight); a higher number goes on. Default: no limit.")
    private @Nullable Long maxBytes;

    @Option(names = "--max-time", paramLabel = "TIME", description = "Stop after so much time, such as 90s, 10m or 8h; a longer one goes on. Default: no limit.")
    private @Nullable String maxTime;

    @Option(names = "--delay", paramLabel = "TIME", description = "Pause from the end of one response to the next request of the same host, such as 500ms, 2s "
            + "or 1m; 0ms: none, still one at a time. What robots.txt and Retry-After ask for always holds. Default: 1s.")
    private @Nullable String delay;

    @Option(names = "--priority", paramLabel = "N", defaultValue = ""
            + CrawlDefinition.DEFAULT_PRIORITY, description = "Of this crawl's requests, the larger first; 0 to 2 unless the deployment has other levels. Default: ${DEFAULT-VALUE}.")
    private int priority;

    @Option(names = "--user-agent", paramLabel = "TEXT", defaultValue = CrawlDefinition.DEFAULT_USER_AGENT, description = "What the crawler calls itself; the word before '/' is looked up in robots.txt ('trawl' if that is Mozilla). Default: ${DEFAULT-VALUE}.")
    private String userAgent = CrawlDefinition.DEFAULT_USER_AGENT;

    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "plain", description = "How fetches present themselves: plain, as the crawler it is; browser, with a browser's headers. "
            + "Neither changes the name, nor what robots.txt means to it. Default: ${DEFAULT-VALUE}.")
    private String profile = FetchStyle.PLAIN.word();

    @Option(names = "--proxy", paramLabel = "URL", description = "http://host:port that all fetches go through. Default: none.")
    private @Nullable String proxy;

    @Option(names = "--no-text", description = "Leave the readable text out of the pages that are written.")
    private boolean noText;

    @Option(names = "--fresh", description = "Begin anew with an empty ledger; what this crawl has written before is deleted.")
    private boolean fresh;

    /** Whether what is known of the crawl is to be forgotten. */
    public boolean fresh() {
        return fresh;
    }

    /** The depth limit, -1 for none. */
    int depth() {
        if (depth < -1 || depth > DEEPEST) {
            throw new InvalidValue("--depth", Integer.toString(depth), "-1 (no limit) to " + DEEPEST);
        }
        return depth;
    }

    /**
     * The URLs in normal form, in the order given, each once.
     *
     * @throws InvalidValue if one is no absolute http or https URL
     */
    static List<String> urls(List<String> given) {
        return given.stream().map(DefinitionOptions::normal).distinct().toList();
    }

    /** The accepted domains in normal form, each once; empty if those of the URLs are meant. */
    List<String> domains() {
        return domains.stream().map(d -> AcceptedName.of("--domain", d)).distinct().toList();
    }

    /**
     * The definition.
     *
     * @param urls where the crawl begins
     * @throws InvalidValue naming the option, the value and the rule
     */
    public CrawlDefinition definition(CrawlId crawl, List<String> urls) {
        List<Seed> seeds = new ArrayList<>();
        urls(urls).forEach(url -> seeds.add(Seed.of(crawl, url, Optional.empty())));
        return new CrawlDefinition(seeds, domains(), depth(), atLeastOne("--max-pages", maxPages),
                atLeastOne("--max-bytes", maxBytes), time(), Optional.empty(), pause(), agent(), level(), !noText, true,
                style(), proxy(), List.of());
    }

    private static Optional<Long> atLeastOne(String option, @Nullable Long limit) {
        if (limit != null && limit < 1) {
            throw new InvalidValue(option, Long.toString(limit), "at least 1");
        }
        return Optional.ofNullable(limit);
    }

    private Optional<Duration> time() {
        if (maxTime == null) {
            return Optional.empty();
        }
        Duration time = Durations.parse("--max-time", maxTime);
        if (time.compareTo(SHORTEST_TIME) < 0) {
            throw new InvalidValue("--max-time", maxTime, "at least " + Durations.format(SHORTEST_TIME));
        }
        return Optional.of(time);
    }

    private Duration pause() {
        if (delay == null) {
            return CrawlDefinition.DEFAULT_DELAY;
        }
        Duration pause = Durations.parse("--delay", delay);
        if (pause.compareTo(LONGEST_DELAY) > 0) {
            throw new InvalidValue("--delay", delay, "0ms to 1h");
        }
        return pause;
    }

    private int level() {
        if (priority < 0 || priority >= MOST_LEVELS) {
            throw new InvalidValue("--priority", Integer.toString(priority), "0 to the number of levels - 1");
        }
        return priority;
    }

    private String agent() {
        if (userAgent.isBlank() || !userAgent.chars().allMatch(c -> c >= ' ' && c < 127)) {
            throw new InvalidValue("--user-agent", userAgent, "not empty, of visible ASCII characters and blanks");
        }
        return userAgent;
    }

    private FetchStyle style() {
        try {
            return FetchStyle.of(profile);
        } catch (InvalidValue e) {
            throw new InvalidValue("--profile", profile, e.rule());
        }
    }

    private Optional<String> proxy() {
        if (proxy != null && !SeedRules.proxy(proxy)) {
            throw new InvalidValue("--proxy", proxy, SeedRules.PROXY);
        }
        return Optional.ofNullable(proxy);
    }

    private static String normal(String url) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> normal.text();
            case Refused refused -> throw new InvalidValue("URL", UrlNormalizer.shown(url),
                    "an absolute http or https URL such as https://example.org/ ("
                            + refused.cause() + ")");
        };
    }
}
