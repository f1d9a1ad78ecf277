package io.trawl.api;

import java.util.Locale;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A page's directives to crawlers, from {@code <meta name="robots">} or {@code X-Robots-Tag}. Where several apply, the
 * stricter one wins.
 *
 * @param noindex the page must not be stored
 * @param nofollow none of its links may be followed
 */
public record RobotsDirectives(boolean noindex, boolean nofollow) {
    /** No restrictions. */
    public static final RobotsDirectives NONE = new RobotsDirectives(false, false);
    private static final String UNTIL = "unavailable_after";
    private static final Set<String> RULES_WITH_A_VALUE = Set.of(UNTIL, "max-snippet", "max-image-preview",
            "max-video-preview");
    /** Between rules; a comma before a digit is one within a date. */
    private static final Pattern SEPARATOR = Pattern.compile(",(?!\\s*+[0-9])");

    /**
     * Combines two sets of directives.
     *
     * @param other directives from another source
     * @return the stricter of both
     */
    public RobotsDirectives and(RobotsDirectives other) {
        return new RobotsDirectives(noindex || other.noindex, nofollow || other.nofollow);
    }

    /**
     * Reads the content of a robots meta element.
     *
     * @param name the element's name: {@code robots} or a crawler's token; other names are ignored
     * @param content the element's content
     * @param agent the crawler's {@link Page#productToken()}
     * @param past whether the date of {@code unavailable_after} has passed, so that it means {@code noindex}
     * @return the directives for this crawler
     */
    public static RobotsDirectives ofMeta(String name, String content, String agent, Predicate<String> past) {
        String whom = name.strip().toLowerCase(Locale.ROOT);
        return whom.equals("robots") || whom.equals(agent) ? read(content, agent, past) : NONE;
    }

    /**
     * Reads the value of {@code X-Robots-Tag}. A token before a colon ({@code otherbot: noindex}) limits the directives
     * after it to that crawler, until the next token or the end of the header line.
     *
     * @param value of the header, a line for each header line; may be empty
     * @param agent the crawler's {@link Page#productToken()}
     * @param past whether the date of {@code unavailable_after} has passed, so that it means {@code noindex}
     * @return the directives for this crawler
     */
    public static RobotsDirectives ofHeader(String value, String agent, Predicate<String> past) {
        RobotsDirectives all = NONE;
        for (StringTokenizer lines = new StringTokenizer(value, "\n"); lines.hasMoreTokens();) {
            all = all.and(read(lines.nextToken(), agent, past));
        }
        return all;
    }

    private static RobotsDirectives read(String rules, String agent, Predicate<String> past) {
        boolean noindex = false;
        boolean nofollow = false;
        boolean mine = true;
        for (String part : SEPARATOR.split(rules.toLowerCase(Locale.ROOT))) {
            String rule = part.strip();
            int colon = rule.indexOf(':');
            if (colon > 0 && !hasValue(rule, colon)) {
                String whom = rule.substring(0, colon).strip();
                mine = whom.equals(agent) || whom.equals("*") || whom.equals("robots");
                rule = rule.substring(colon + 1).strip();
            }
            noindex |= mine && (rule.equals("noindex") || rule.equals("none") || unavailable(rule, past));
            nofollow |= mine && (rule.equals("nofollow") || rule.equals("none"));
        }
        return new RobotsDirectives(noindex, nofollow);
    }

    /** Whether the text before a colon is a rule and no crawler. */
    private static boolean hasValue(String rule, int colon) {
        return RULES_WITH_A_VALUE.contains(rule.substring(0, colon).strip());
    }

    private static boolean unavailable(String rule, Predicate<String> past) {
        int colon = rule.startsWith(UNTIL) ? rule.indexOf(':') : -1;
        return colon > 0 && hasValue(rule, colon) && past.test(rule.substring(colon + 1).strip());
    }
}
