package io.trawl.api;

import java.util.Locale;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * A page's directives to crawlers, from {@code <meta name="robots">} or {@code X-Robots-Tag}. Where several apply, the stricter one wins.
 *
 * @param noindex the page must not be stored
 * @param nofollow none of its links may be followed
 */
public record RobotsDirectives(boolean noindex, boolean nofollow) {
    /** No restrictions. */
    public static final RobotsDirectives NONE = new RobotsDirectives(false, false);
    private static final Set<String> RULES_WITH_A_VALUE = Set.of("unavailable_after", "max-snippet", "max-image-preview",
            "max-video-preview");

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
     * @return the directives for this crawler
     */
    public static RobotsDirectives ofMeta(String name, String content, String agent) {
        String whom = name.strip().toLowerCase(Locale.ROOT);
        return whom.equals("robots") || whom.equals(agent) ? read(content, agent) : NONE;
    }

    /**
     * Reads the value of {@code X-Robots-Tag}. A token before a colon ({@code otherbot: noindex}) limits the directives after it to that crawler,
     * until the next token.
     *
     * @param value of the header; may be empty
     * @param agent the crawler's {@link Page#productToken()}
     * @return the directives for this crawler
     */
    public static RobotsDirectives ofHeader(String value, String agent) {
        return value.isEmpty() ? NONE : read(value, agent);
    }

    private static RobotsDirectives read(String rules, String agent) {
        boolean noindex = false;
        boolean nofollow = false;
        boolean mine = true;
        for (StringTokenizer parts = new StringTokenizer(rules.toLowerCase(Locale.ROOT), ","); parts.hasMoreTokens();) {
            String rule = parts.nextToken().strip();
            int colon = rule.indexOf(':');
            if (colon > 0 && !RULES_WITH_A_VALUE.contains(rule.substring(0, colon).strip())) {
                String whom = rule.substring(0, colon).strip();
                mine = whom.equals(agent) || whom.equals("*") || whom.equals("robots");
                rule = rule.substring(colon + 1).strip();
            }
            noindex |= mine && (rule.equals("noindex") || rule.equals("none"));
            nofollow |= mine && (rule.equals("nofollow") || rule.equals("none"));
        }
        return new RobotsDirectives(noindex, nofollow);
    }
}
