package io.trawl.downloader.robots;

import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import io.trawl.model.Body;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A robots.txt that was read, for one crawler (RFC 9309, by crawler-commons). */
final class RobotsFile implements RobotsRules {
    /** What a rule costs beyond its text, and rules beyond their list, in bytes of memory. */
    private static final int PER_RULE = 88;
    private static final int PER_FILE = 150;
    private static final RobotsFile NONE = new RobotsFile(new SimpleRobotRules(SimpleRobotRules.RobotRulesMode.ALLOW_ALL));
    private final SimpleRobotRules rules;

    private RobotsFile(SimpleRobotRules rules) {
        this.rules = rules;
    }

    /**
     * Reads a file. What is not a rule is skipped.
     *
     * @param url of the file
     * @param truncated whether the file was cut: its last line is then dropped, since half a path would forbid more than was written
     * @param token as {@link io.trawl.model.ProductToken} makes it; empty: only the rules for all crawlers count
     */
    static RobotsFile read(String url, Body body, boolean truncated, String contentType, String token) {
        byte[] bytes = truncated ? wholeLines(body.bytes()) : body.bytes();
        return new RobotsFile(parser().parseContent(url, bytes, contentType, token.isEmpty() ? List.of() : List.of(token)));
    }

    /** Where there is no file, everything is allowed. */
    static RobotsFile none() {
        return NONE;
    }

    /** The parser keeps counts of its warnings, so it is not shared. It would take a long delay for a prohibition: the caller has its own limit. */
    private static SimpleRobotRulesParser parser() {
        return new SimpleRobotRulesParser(Long.MAX_VALUE, 0);
    }

    private static byte[] wholeLines(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n' && bytes[end - 1] != '\r') {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    @Override
    public boolean isAllowed(String url) {
        return rules.isAllowed(url);
    }

    @Override
    public Optional<Duration> crawlDelay() {
        return rules.getCrawlDelay() > 0 ? Optional.of(Duration.ofMillis(rules.getCrawlDelay())) : Optional.empty();
    }

    @Override
    public boolean unavailable() {
        return false;
    }

    @Override
    public long bytes() {
        return PER_FILE + rules.getRobotRules().stream().mapToLong(rule -> PER_RULE + rule.getPrefix().length()).sum();
    }
}
