package io.trawl.downloader.robots;

import crawlercommons.robots.SimpleRobotRules;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The rules of a robots.txt for one crawler, in the order of their precedence (RFC 9309 section 2.2.2: the longest
 * match counts; of equal ones, that which allows). The first that matches decides.
 */
final class RobotsFile implements RobotsRules {
    private static final String FILE = "/robots.txt";
    /** The memory per rule beyond its text, and per file beyond its rules, in bytes. */
    private static final int PER_RULE = 5;
    private static final int PER_FILE = 250;
    private static final RobotsFile NONE = new RobotsFile(List.of(), Optional.empty(), Optional.empty());
    private final Version version;
    private final String patterns;
    private final int[] ends;
    private final boolean[] allows;
    private final Optional<Duration> crawlDelay;

    /** @param pattern percent-encoded as {@link SimpleRobotRules#escapePath} does it */
    record Rule(String pattern, boolean allow) {}

    /**
     * @param rules in the order of their precedence
     * @param digest of the file
     */
    RobotsFile(Collection<Rule> rules, Optional<Duration> crawlDelay, Optional<String> digest) {
        StringBuilder text = new StringBuilder();
        this.ends = new int[rules.size()];
        this.allows = new boolean[rules.size()];
        int i = 0;
        for (Rule rule : rules) {
            text.append(rule.pattern());
            ends[i] = text.length();
            allows[i++] = rule.allow();
        }
        this.patterns = text.toString();
        this.crawlDelay = crawlDelay;
        this.version = new Version(digest);
    }

    /** Without a file everything is allowed. */
    static RobotsFile none() {
        return NONE;
    }

    @Override
    public RobotsVerdict check(String url, int steps) {
        if (ends.length == 0) {
            return RobotsVerdict.ALLOWED;
        }
        if (url.length() > steps) {
            return RobotsVerdict.TOO_COSTLY;
        }
        String path = path(url);
        return path.equals(FILE) ? RobotsVerdict.ALLOWED : firstMatch(new PathMatcher(path, steps - url.length()));
    }

    private RobotsVerdict firstMatch(PathMatcher matcher) {
        for (int i = 0; i < ends.length; i++) {
            boolean matches = matcher.matches(patterns, i == 0 ? 0 : ends[i - 1], ends[i]);
            if (matcher.left() < 0) {
                return RobotsVerdict.TOO_COSTLY;
            }
            if (matches) {
                return allows[i] ? RobotsVerdict.ALLOWED : RobotsVerdict.FORBIDDEN;
            }
        }
        return RobotsVerdict.ALLOWED;
    }

    /**
     * The path and the query, percent-encoded like the patterns, and with the two characters that are special in them.
     */
    private static String path(String url) {
        int host = url.indexOf("://") + 3;
        int begin = host;
        while (begin < url.length() && "/?#".indexOf(url.charAt(begin)) < 0) {
            begin++;
        }
        int fragment = url.indexOf('#', begin);
        String path = url.substring(begin, fragment < 0 ? url.length() : fragment);
        String normal = SimpleRobotRules.escapePath(path.startsWith("/") ? path : "/" + path, null);
        return normal.replace("*", "%2A").replace("$", "%24");
    }

    @Override
    public Version version() {
        return version;
    }

    @Override
    public Optional<Duration> crawlDelay() {
        return crawlDelay;
    }

    @Override
    public long bytes() {
        return PER_FILE + patterns.length() + (long) PER_RULE * ends.length;
    }
}
