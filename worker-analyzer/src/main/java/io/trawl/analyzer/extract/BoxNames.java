package io.trawl.analyzer.extract;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Element;

/**
 * What the classes and the id of an element say about it, by the words they are made of: {@code entry-ShareBar} has the
 * words entry, share and bar. Words and pairs of words are those that templates of many sites use.
 */
final class BoxNames {
    static final int UNSEEN = 1;
    static final int CLUTTER = 2;
    static final int SIDEBAR = 32;
    static final int DISCUSSION = 4;
    static final int PERSON = 8;
    static final int CAPTION = 16;
    static final int AROUND_ARTICLE = 64;
    static final int BUTTON = 128;
    static final int DATE = 256;
    static final int OTHER_SCREEN = 512;
    static final int QUOTE = 1024;
    /** What editors of articles name a quotation; forums have other names. */
    static final int BLOCK_QUOTE = 2048;
    static final int PANEL = 4096;
    /** Of documents of code: their signatures and comments are the text. */
    static final int OF_CODE = 8192;
    /** A longer list of names describes how a box looks, not what it is. */
    private static final int LONGEST_NAMES = 400;
    private static final int LONGEST_WORD = 16;
    private static final Map<String, Integer> WORDS = new HashMap<>();
    /** Whether a word of some first letter and length may be in the table: most are not, and need no look-up. */
    private static final boolean[] MAY_BE = new boolean[32 * (LONGEST_WORD + 1)];

    static {
        add(UNSEEN,
                "sr-only visually-hidden visuallyhidden screen-reader screenreader skip-link skip-to noprint d-none");
        add(CLUTTER, "cookie cookies share sharing social-links related recommended recommendations recommendation"
                + " rail newsletter signup subscribe modal popup popover tooltip breadcrumb breadcrumbs"
                + " pagination pager trending promo promotion advertising sponsored sponsor disclaimer latest-news"
                + " most-popular popular-posts widget-posts top-posts more-posts entry-actions product-actions"
                + " read-next see-also recirculation recirc next-prev prev-next nav-links nav-next navheader navfooter"
                + " feedback copyright byline credits credit toolbar editsection backlink print-header print-footer"
                + " notice login");
        // Scripts put these into pages, so those that were saved without hardly have them.
        add(CLUTTER, "consent gdpr advert advertisement sharethis ad-label ad-container ad-wrapper ad-wrap ad-unit"
                + " ad-block ad-box ad-slot");
        add(SIDEBAR, "sidebar");
        add(PERSON, "author-box author-info author-block author-card author-wrapper author-details author-profile"
                + " author-meta author-name author-pane about-author post-author blog-author entry-author bio signature"
                + " user-info userinfo user-card postleft postprofile message-user");
        add(DISCUSSION, "comment comments respond reviews disqus");
        add(CAPTION, "caption");
        add(BUTTON, "button buttons btn btns cta");
        add(DATE, "date timestamp time datetime");
        add(OTHER_SCREEN, "hidden-desktop hide-desktop mobile-only show-mobile");
        add(QUOTE, "quote");
        add(BLOCK_QUOTE, "block-quote");
        add(OF_CODE, "func-signature function-signature member-signature method-signature type-signature tsd-signature"
                + " tsd-comment comment-cmt");
        add(PANEL, "tab tabs tabbed panel panels accordion collapse collapsed collapsible faq answer");
        add(AROUND_ARTICLE, "recent cta taxonomy post-excerpt latest gallery loop teaser tags read-more author meta"
                + " footer dek standfirst subhead entry-summary disclosure");
    }

    private BoxNames() {}

    private static void add(int kind, String words) {
        for (String word : words.split(" ")) {
            WORDS.merge(word, kind, (a, b) -> a | b);
            int dash = word.indexOf('-');
            String first = dash < 0 ? word : word.substring(0, dash);
            MAY_BE[slot(first.charAt(0), first.length())] = true;
            if (dash >= 0) {
                WORDS.putIfAbsent(first, 0);
            }
        }
    }

    private static int slot(char first, int length) {
        return (first & 31) * (LONGEST_WORD + 1) + length;
    }

    /** What the names of an element suggest: the sum of constants of this class. */
    static int of(Element element) {
        if (element.attributesSize() == 0) {
            return 0;
        }
        return switch (element.normalName()) {
            // Their ids are made of their headings and terms, for links.
            case "section", "dt", "h1", "h2", "h3", "h4", "h5", "h6" -> in(element.attr("class"));
            default -> in(element.attr("class")) | in(element.attr("id"));
        };
    }

    private static int in(String names) {
        // With other names beside it, a box that is hidden at first may be displayed on large screens.
        int kinds = names.equals("hidden") ? UNSEEN : 0;
        int length = names.length() > LONGEST_NAMES ? 0 : names.length();
        for (int i = 0; i < length; i++) {
            int end = word(names, i);
            if (end > i) {
                kinds |= at(names, i, end);
                i = end - 1;
            }
        }
        return kinds;
    }

    /** The end of the word that begins here: letters, up to a capital after a small one. */
    private static int word(String names, int from) {
        int i = from;
        while (i < names.length() && letter(names.charAt(i))
                && (i == from || !capital(names.charAt(i)) || capital(names.charAt(i - 1)))) {
            i++;
        }
        return i;
    }

    private static boolean letter(char c) {
        return c >= 'a' && c <= 'z' || capital(c);
    }

    private static boolean capital(char c) {
        return c >= 'A' && c <= 'Z';
    }

    private static int at(String names, int from, int end) {
        int length = end - from;
        if (length > LONGEST_WORD || !MAY_BE[slot(names.charAt(from), length)]) {
            return 0;
        }
        String word = names.substring(from, end).toLowerCase(Locale.ROOT);
        Integer kinds = WORDS.get(word);
        return kinds == null ? 0 : kinds | pair(names, word, end);
    }

    /**
     * A pair does not count where a capital goes on with its name: the user-content of a post is not about its user.
     */
    private static int pair(String names, String first, int end) {
        int second = end < names.length() && letter(names.charAt(end)) ? end : end + 1;
        int to = second < names.length() ? word(names, second) : second;
        if (to <= second || to < names.length() && capital(names.charAt(to))) {
            return 0;
        }
        return WORDS.getOrDefault(first + "-" + names.substring(second, to).toLowerCase(Locale.ROOT), 0);
    }
}
