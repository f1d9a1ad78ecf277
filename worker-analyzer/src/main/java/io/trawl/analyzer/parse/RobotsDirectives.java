package io.trawl.analyzer.parse;

import java.util.Locale;
import java.util.Set;

/**
 * What a page asks of crawlers, by {@code <meta name="robots">} or {@code X-Robots-Tag}. Where several statements apply, the stricter one holds.
 *
 * @param noindex not to keep its content
 * @param nofollow not to follow any of its links
 */
public record RobotsDirectives(boolean noindex, boolean nofollow) {
    /** Nothing is asked. */
    public static final RobotsDirectives NONE = new RobotsDirectives(false, false);
    private static final Set<String> RULES_WITH_A_VALUE = Set.of("unavailable_after", "max-snippet", "max-image-preview",
            "max-video-preview");

    /** Both together. */
    public RobotsDirectives and(RobotsDirectives other) {
        return new RobotsDirectives(noindex || other.noindex, nofollow || other.nofollow);
    }

    /**
     * Reads the content of a robots meta element.
     *
     * @param name the element's name: {@code robots} or a crawler's token; any other says nothing
     * @param agent the token of this crawler, in lower case
     */
    public static RobotsDirectives ofMeta(String name, String content, String agent) {
        String whom = name.strip().toLowerCase(Locale.ROOT);
        return whom.equals("robots") || whom.equals(agent) ? read(content, agent) : NONE;
    }

    /**
     * Reads the value of {@code X-Robots-Tag}. A token before a colon ({@code otherbot: noindex}) limits what follows it to that crawler, until the next
     * one.
     *
     * @param agent the token of this crawler, in lower case
     */
    public static RobotsDirectives ofHeader(String value, String agent) {
        return value.isEmpty() ? NONE : read(value, agent);
    }

    private static RobotsDirectives read(String rules, String agent) {
        boolean noindex = false;
        boolean nofollow = false;
        boolean mine = true;
        for (String part : rules.toLowerCase(Locale.ROOT).split(",")) {
            String rule = part.strip();
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
