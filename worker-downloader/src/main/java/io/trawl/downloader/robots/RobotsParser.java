package io.trawl.downloader.robots;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import crawlercommons.robots.SimpleRobotRules;
import io.trawl.downloader.robots.RobotsFile.Rule;
import io.trawl.model.Body;
import io.trawl.model.Sha256;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one robots.txt for one crawler (RFC 9309 section 2.2), with the tolerance of crawler-commons for misspelt
 * fields, HTML around the lines, and {@code Crawl-delay}. Takes linear time, apart from sorting the rules; its parser
 * takes minutes for 100 KB of opening angle brackets. Lines that are not rules are skipped.
 */
final class RobotsParser {
    private static final String LINE_ENDS = "\n\r\u0085\u2028\u2029";
    private static final Pattern HTML = Pattern.compile("<(html|head|body)\\s*+>", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_AGENT = Pattern.compile("user-agent:", Pattern.CASE_INSENSITIVE);
    /** A rule for the index file of a folder. */
    private static final Pattern INDEX = Pattern.compile("(?s).*/index\\.html?\\$?");
    /** Hexadecimal digits that tell the versions of one file apart. */
    private static final int DIGEST = 32;
    private static final double LONGEST_DELAY_SECONDS = Duration.ofDays(1).toSeconds();
    private static final Map<Field, String[]> NAMES = Map.of(Field.USER_AGENT,
            new String[]{"user-agent", "useragent", "user agent", "user-agents", "users-agent", "user-agnet",
                    "useg-agent", "ser-agent"},
            Field.DISALLOW,
            new String[]{"disallow", "disallows", "disalow", "dissallow", "dissalow", "disllow", "disallaw", "diasllow",
                    "diallow", "desallow", "dsallow", "dssalow"},
            Field.ALLOW, new String[]{"allow"}, Field.CRAWL_DELAY,
            new String[]{"crawl-delay", "crawl delay", "crawl-deley", "craw-delay", "clawl-delay"});
    private final String token;
    private final TreeSet<Rule> rules = new TreeSet<>(Comparator.comparingInt((Rule rule) -> -rule.pattern().length())
            .thenComparing(rule -> !rule.allow()).thenComparing(Rule::pattern));
    private @Nullable Duration crawlDelay;
    /** Whether a group for this crawler was found; before that, groups for all crawlers count. */
    private boolean named;
    private boolean inAgents;
    private boolean ownGroup;
    private boolean delayExpected;

    private enum Field {
        USER_AGENT, DISALLOW, ALLOW, CRAWL_DELAY
    }

    private RobotsParser(String token) {
        this.token = token;
    }

    /**
     * Parses a file.
     *
     * @param truncated whether the file was cut: its last line is then dropped, since half a path would forbid more
     * than was written
     * @param token as {@link io.trawl.model.ProductToken} creates it; empty: only the rules for all crawlers count
     */
    static RobotsFile parse(Body body, boolean truncated, String contentType, String token) {
        String text = decode(truncated ? wholeLines(body.bytes()) : body.bytes());
        Optional<String> digest = Optional.of(Sha256.hex(body.bytes()).substring(0, DIGEST));
        boolean html = contentType.toLowerCase(Locale.ROOT).startsWith("text/html") || HTML.matcher(text).find();
        if (html && !USER_AGENT.matcher(text).find()) {
            return new RobotsFile(List.of(), Optional.empty(), digest);
        }
        RobotsParser parser = new RobotsParser(token);
        StringTokenizer lines = new StringTokenizer(text, LINE_ENDS);
        while (lines.hasMoreTokens()) {
            String line = lines.nextToken();
            parser.line(html ? withoutTags(line) : line);
        }
        return new RobotsFile(parser.rules, Optional.ofNullable(parser.crawlDelay), digest);
    }

    private static byte[] wholeLines(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n' && bytes[end - 1] != '\r') {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    /** The text in UTF-8, or in UTF-16 if it begins with such a byte order mark. */
    private static String decode(byte[] bytes) {
        int first = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        Charset charset = first == 0xfffe ? UTF_16LE : first == 0xfeff ? UTF_16BE : UTF_8;
        String text = new String(bytes, charset);
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    /** Removes what stands between angle brackets, except {@code <>}. */
    private static String withoutTags(String line) {
        StringBuilder rest = new StringBuilder(line.length());
        int kept = 0;
        for (int open = line.indexOf('<'); open >= 0; open = line.indexOf('<', Math.max(kept, open + 1))) {
            boolean empty = line.startsWith("<>", open);
            int close = empty ? open : line.indexOf('>', open);
            if (close < 0) {
                break;
            }
            if (!empty) {
                rest.append(line, kept, open);
                kept = close + 1;
            }
        }
        return rest.append(line, kept, line.length()).toString();
    }

    private void line(String line) {
        int comment = line.indexOf('#');
        String text = (comment < 0 ? line : line.substring(0, comment)).trim();
        for (Field field : Field.values()) {
            for (String name : NAMES.getOrDefault(field, new String[0])) {
                Optional<String> value = value(text, name);
                if (value.isPresent()) {
                    take(field, value.get());
                    return;
                }
            }
        }
    }

    /** The value of a field with this name: after a colon, or at least after a blank. */
    private static Optional<String> value(String line, String name) {
        int at = name.length();
        if (!line.regionMatches(true, 0, name, 0, at)) {
            return Optional.empty();
        }
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
        if (at < line.length() && line.charAt(at) == ':') {
            return Optional.of(line.substring(at + 1).trim());
        }
        return at > name.length() ? Optional.of(line.substring(at)) : Optional.empty();
    }

    private void take(Field field, String value) {
        switch (field) {
            case USER_AGENT -> userAgent(value.toLowerCase(Locale.ROOT));
            case DISALLOW -> rule(value, false);
            case ALLOW -> rule(value, true);
            case CRAWL_DELAY -> crawlDelay(value);
        }
    }

    private void userAgent(String agent) {
        if (!inAgents) {
            ownGroup = false;
            delayExpected = false;
        }
        inAgents = true;
        boolean own = isToken(agent);
        if (own && !named) {
            named = true;
            rules.clear();
            crawlDelay = null;
        }
        if (own || !named && agent.equals("*")) {
            ownGroup = true;
            delayExpected = true;
        }
    }

    /** Whether an agent is this crawler; what follows its name, as in {@code name/1.0}, does not count. */
    private boolean isToken(String agent) {
        int end = 0;
        while (end < agent.length() && "abcdefghijklmnopqrstuvwxyz_-".indexOf(agent.charAt(end)) >= 0) {
            end++;
        }
        return !token.isEmpty() && (agent.equals(token) || agent.substring(0, end).equals(token));
    }

    private void rule(String path, boolean allow) {
        inAgents = false;
        String pattern = ownGroup ? SimpleRobotRules.escapePath(path, null) : "";
        if (pattern.isEmpty()) {
            return;
        }
        // RFC 9309 section 2.2.3: special at the end only. Elsewhere it is written as in paths.
        int end = pattern.length() - (pattern.endsWith("$") ? 1 : 0);
        String rule = pattern.substring(0, end).replace("$", "%24") + pattern.substring(end);
        rules.add(new Rule(rule, allow));
        if (allow && INDEX.matcher(rule).matches()) {
            // As Google does, and for permissions only: who may fetch an index file may fetch its folder.
            rules.add(new Rule(rule.substring(0, rule.lastIndexOf('/') + 1) + "$", true));
        }
    }

    /** Takes the first delay of a group; of several groups the shortest. Not a positive number of seconds: none. */
    private void crawlDelay(String seconds) {
        if (delayExpected) {
            delayExpected = false;
            seconds(seconds).filter(delay -> crawlDelay == null || delay.compareTo(crawlDelay) < 0)
                    .ifPresent(delay -> crawlDelay = delay);
        }
    }

    private static Optional<Duration> seconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            long millis = Math.round(Math.min(seconds, LONGEST_DELAY_SECONDS) * 1000);
            return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
