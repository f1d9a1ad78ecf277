package io.trawl.analyzer.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Pages of seven types in nine templates, with their main text: made for tests of the extraction, of words without a
 * meaning. The same on each call.
 */
final class MadePages {
    /** A page with its main text. */
    record MadePage(String type, String template, String html, String text) {}

    private static final String[] WORDS = ("water stone river garden window market engine letter winter bridge paper"
            + " forest island silver copper harbour valley kitchen teacher painter machine village morning evening"
            + " number travel simple quiet narrow bright carries follows builds writes opens reaches under beside"
            + " before across between without again never often because while until").split(" ");
    private static final List<String> TYPES = List.of("article", "forum", "product", "collection", "listing",
            "documentation", "service");
    private static final List<String> TEMPLATES = List.of("main", "article in main", "names", "tables",
            "main with sidebar", "no marks", "comments below", "role", "teasers beside");
    private final Random random;
    private final StringBuilder text = new StringBuilder();

    private MadePages(long seed) {
        this.random = new Random(seed);
    }

    /** All 63. */
    static List<MadePage> all() {
        List<MadePage> pages = new ArrayList<>();
        for (String type : TYPES) {
            for (String template : TEMPLATES) {
                pages.add(new MadePages(pages.size() + 1L).page(type, template));
            }
        }
        return pages;
    }

    private MadePage page(String type, String template) {
        String content = switch (type) {
            case "article" ->
                kept("h1", 6) + "<p class=byline>By " + words(2) + "</p>" + paragraphs(5 + random.nextInt(8))
                        + "<figure><img src=a.png><figcaption>" + words(9) + "</figcaption></figure>" + paragraphs(3)
                        + "<div class=share-bar><a href=/s>Share this</a> <a href=/m>by mail</a></div>";
            case "forum" -> kept("h1", 7) + posts(6 + random.nextInt(6));
            case "product" -> kept("h1", 4) + paragraphs(3) + rows(8) + "<div class=related-products><h3>Related</h3>"
                    + links(6) + "</div>" + reviews(3);
            case "collection" -> kept("h1", 3) + paragraphs(1) + cards(48, 4);
            case "listing" -> kept("h1", 3) + cards(24, 14);
            case "documentation" -> kept("h1", 3) + paragraphs(2) + kept("h2", 3) + code() + paragraphs(3)
                    + kept("h2", 3) + rows(6) + paragraphs(2);
            default -> kept("h1", 6) + sections(6);
        };
        return new MadePage(type, template,
                "<html><head><title>" + words(3) + "</title></head>" + framed(type, template, content) + "</html>",
                text.toString());
    }

    private String framed(String type, String template, String content) {
        String top = "<ul>" + links(9) + "</ul>";
        String bottom = "<p>" + words(18) + ". <a href=/imprint>Imprint</a></p>";
        String side = "<div class=sidebar><h3>" + words(2) + "</h3>" + links(8) + "<p>" + words(12) + "</p></div>";
        String aside = type.equals("forum") ? "" : discussion(5);
        return switch (template) {
            case "main" ->
                "<body><nav>" + top + "</nav><main>" + content + "</main><footer>" + bottom + "</footer></body>";
            case "article in main" -> "<body><header>" + top + "</header><main><article>" + content + "</article>"
                    + side + "</main><footer>" + bottom + "</footer></body>";
            case "names" -> "<body><div id=header>" + top + "</div><div id=content>" + content + "</div><div id=footer>"
                    + bottom + "</div></body>";
            case "tables" -> "<body><table><tr><td>" + top + "</td><td>" + content + "</td></tr></table><div"
                    + " class=footer>" + bottom + "</div></body>";
            case "main with sidebar" ->
                "<body><div class=topbar>" + top + "</div><main><div class=columns><div" + " class=text>" + content
                        + "</div>" + side + "</div></main><footer>" + bottom + "</footer></body>";
            case "no marks" -> "<body><div><div>" + top + "</div><div><div>" + content + "</div></div><div"
                    + " class=copyright>" + bottom + "</div></div></body>";
            case "comments below" -> "<body><nav>" + top + "</nav><main>" + content + aside + "</main><footer>" + bottom
                    + "</footer></body>";
            case "role" -> "<body><div role=navigation>" + top + "</div><div role=main>" + content
                    + "</div><div role=contentinfo>" + bottom + "</div></body>";
            default -> "<body><nav>" + top + "</nav><div class=page><div class=body>" + content + "</div><main"
                    + " class=teaser><p>" + words(8) + "</p></main></div><footer>" + bottom + "</footer></body>";
        };
    }

    private String keep(String words) {
        text.append(words).append('\n');
        return words;
    }

    private String kept(String element, int words) {
        return "<" + element + ">" + keep(words(words)) + "</" + element + ">";
    }

    private String sentence() {
        String words = words(8 + random.nextInt(12));
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ". ";
    }

    private String words(int n) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < n; i++) {
            words.append(i > 0 ? " " : "").append(WORDS[random.nextInt(WORDS.length)]);
        }
        return words.toString();
    }

    private String paragraphs(int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) {
            out.append("<p>").append(keep(sentence() + sentence() + sentence())).append("</p>");
        }
        return out.toString();
    }

    private String posts(int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) {
            out.append("<div class=post><div class=user-info><b>").append(words(1)).append("</b> <span>Posts: 12")
                    .append("</span></div><div class=post-body>").append(paragraphs(2))
                    .append("</div><div class=signature>").append(words(6)).append("</div></div>");
        }
        return out.toString();
    }

    private String rows(int n) {
        StringBuilder out = new StringBuilder("<table>");
        for (int i = 0; i < n; i++) {
            out.append("<tr><th>").append(keep(words(2))).append("</th><td>").append(keep(words(5)))
                    .append("</td></tr>");
        }
        return out.append("</table>").toString();
    }

    private String cards(int n, int words) {
        StringBuilder out = new StringBuilder("<div class=grid>");
        for (int i = 0; i < n; i++) {
            out.append("<div class=card><h2><a href=/c").append(i).append('>').append(keep(words(5)))
                    .append("</a></h2><p>").append(keep(words(words))).append("</p></div>");
        }
        return out.append("</div>").toString();
    }

    private String code() {
        return "<pre><code>" + keep(words(4) + "\n    " + words(5)) + "</code></pre>";
    }

    private String sections(int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) {
            out.append("<section>").append(kept("h2", 4)).append(paragraphs(1)).append("</section>");
        }
        return out.toString();
    }

    private String links(int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) {
            out.append("<li><a href=/l").append(i).append('>').append(words(3)).append("</a></li>");
        }
        return out.toString();
    }

    private String reviews(int n) {
        StringBuilder out = new StringBuilder("<div class=reviews>");
        for (int i = 0; i < n; i++) {
            out.append("<div class=review><p>").append(words(20)).append("</p></div>");
        }
        return out.append("</div>").toString();
    }

    private String discussion(int n) {
        StringBuilder out = new StringBuilder("<div id=comments>");
        for (int i = 0; i < n; i++) {
            out.append("<div class=comment><p>").append(words(15)).append("</p></div>");
        }
        return out.append("</div>").toString();
    }
}
