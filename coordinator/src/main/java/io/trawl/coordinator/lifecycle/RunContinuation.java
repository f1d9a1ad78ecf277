package io.trawl.coordinator.lifecycle;

import io.trawl.ledger.Fingerprint;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a new run knows from the beginning: all that another run knows, except about some URLs. Only crawls with a name
 * of their own kind begin in this way, so that a coordinator that dies before it has defined one leaves facts of no
 * other.
 *
 * @param run whose facts it begins with
 * @param without the URLs that it does not know
 */
public record RunContinuation(CrawlRun run, List<Fingerprint> without) {
    /** The rule for the names of all other crawls. */
    static final String RULE = "another name: those that end with -retry- and a number are for retries";
    private static final Pattern NAME = Pattern.compile(".*-retry-[0-9]+");

    /** The name of a retry. */
    public static CrawlId name(CrawlId crawl, int number) {
        return new CrawlId(crawl + "-retry-" + number);
    }

    /** Whether this is the name of a retry. */
    static boolean names(CrawlId crawl) {
        return NAME.matcher(crawl.value()).matches();
    }
}
