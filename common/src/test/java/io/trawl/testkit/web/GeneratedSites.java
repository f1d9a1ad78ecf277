package io.trawl.testkit.web;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Sites of equal size, generated on request: every page has the same navigation, ten children, some links across the
 * site, and some kilobytes of text of its own, with the inline elements of a manual. All pages of a site are reachable
 * from its root. Immutable.
 */
public final class GeneratedSites implements WebPages {
    private static final int CHILDREN = 10;
    private static final int WORDS = 60;
    /** Every so many words, one stands in an element of its own. */
    private static final int PLAIN_WORDS = 12;
    /** Enough that the pages of a site have different texts. */
    private static final int DIFFERENT_PARAGRAPHS = 2048;
    private static final String[] VOCABULARY = "the crawler reads a page and follows what it finds there while a queue holds the rest until its host may be asked again"
            .split(" ");
    private final int hosts;
    private final int pages;
    private final int across;
    private final int paragraphs;
    private final String[] text = text();

    /**
     * What every page is like.
     *
     * @param kilobytes the approximate size in 1,000 bytes
     * @param links the approximate number of links: those of the navigation and to children, and others across the site
     */
    public record PageShape(int kilobytes, int links) {
        /** 5 KB with 25 links. */
        public static final PageShape SMALL = new PageShape(5, 25);
        private static final int LINK_BYTES = 40;
        private static final int BYTES_OF_A_KILOBYTE = 1000;

        private int across() {
            return Math.max(0, links - 2 * CHILDREN);
        }

        private int paragraphs(int paragraphBytes) {
            return Math.max(1, (kilobytes * BYTES_OF_A_KILOBYTE - links * LINK_BYTES) / paragraphBytes);
        }
    }

    /** @param pages number of pages of each site */
    public GeneratedSites(int hosts, int pages, PageShape shape) {
        this.hosts = hosts;
        this.pages = pages;
        this.across = shape.across();
        this.paragraphs = shape.paragraphs(text[0].length());
    }

    /** Sites of small pages. */
    public GeneratedSites(int hosts, int pages) {
        this(hosts, pages, PageShape.SMALL);
    }

    /** The path of a page; 0 is the root. */
    public static String path(int page) {
        return page == 0 ? "/" : "/p/" + page + ".html";
    }

    @Override
    public WebResponse answer(int host, String path) {
        int page = number(path);
        return host < 0 || host >= hosts || page < 0 || page >= pages
                ? WebResponse.notFound()
                : WebResponse.page(html(host, page), Duration.ZERO);
    }

    private static int number(String path) {
        if (path.equals("/")) {
            return 0;
        }
        return path.matches("/p/[1-9][0-9]{0,8}\\.html") ? Integer.parseInt(path.substring(3, path.length() - 5)) : -1;
    }

    private String html(int host, int page) {
        StringBuilder html = new StringBuilder(paragraphs * text[0].length() + 2000);
        html.append("<!DOCTYPE html>\n<html lang=en><head><title>Page ").append(page).append(" of site ").append(host)
                .append("</title></head><body><nav>");
        for (int i = 0; i < Math.min(CHILDREN, pages); i++) {
            link(html, i);
        }
        html.append("</nav><main><h1>Page ").append(page).append("</h1>");
        SplittableRandom random = new SplittableRandom((long) host << 32 | page);
        for (int i = 0; i < paragraphs; i++) {
            html.append(text[random.nextInt(text.length)]);
        }
        html.append("<ul>");
        for (long child = (long) page * CHILDREN + 1; child <= (long) page * CHILDREN + CHILDREN
                && child < pages; child++) {
            link(html.append("<li>"), (int) child);
        }
        for (int i = 0; i < across; i++) {
            link(html.append("<li>"), random.nextInt(pages));
        }
        return html.append("</ul></main></body></html>\n").toString();
    }

    private static void link(StringBuilder html, int page) {
        html.append("<a href=\"").append(path(page)).append("\">page ").append(page).append("</a>\n");
    }

    private static String[] text() {
        SplittableRandom random = new SplittableRandom(1);
        String[] paragraphs = new String[DIFFERENT_PARAGRAPHS];
        for (int p = 0; p < paragraphs.length; p++) {
            StringBuilder text = new StringBuilder("<p>");
            for (int w = 0; w < WORDS; w++) {
                String word = VOCABULARY[random.nextInt(VOCABULARY.length)];
                text.append(w % PLAIN_WORDS == 0 ? "<code class=\"name\">" + word + "</code>" : word).append(' ');
            }
            paragraphs[p] = text.append("</p>\n").toString();
        }
        return paragraphs;
    }
}
