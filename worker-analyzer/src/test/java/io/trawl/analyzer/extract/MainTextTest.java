package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.extract.MadePages.MadePage;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The main text of pages of all types: enough of it, and little else. */
class MainTextTest {
    private static final String LONG = "A sentence that has as many words as people write who mean to be understood. ";

    @Test
    void pagesOfEachTypeHaveTheirTextAndLittleElse() {
        Map<String, double[]> sums = new TreeMap<>();
        for (MadePage page : MadePages.all()) {
            double f1 = f1(text(page.html()), page.text());
            assertThat(f1).as(page.type() + ", " + page.template()).isGreaterThan(0.6);
            double[] sum = sums.computeIfAbsent(page.type(), type -> new double[2]);
            sum[0] += f1;
            sum[1]++;
        }
        assertThat(sums).hasSize(7).allSatisfy((type, sum) -> assertThat(sum[0] / sum[1]).as(type)
                .isGreaterThan(type.equals("collection") || type.equals("listing") ? 0.90 : 0.95));
    }

    @Test
    void aForumThatHidesItsPostsFromBrowsersWithScriptsHasThem() {
        assertThat(text("<body><div id=app><p>Loading</p></div><noscript><div class=post><p>" + LONG.repeat(4)
                + "</p></div></noscript></body>")).contains("people write");
    }

    @Test
    void aPageWithTextHasNothingOfWhatItHides() {
        assertThat(text("<body><main><p>" + LONG.repeat(6) + "</p></main><noscript><p>Switch on scripts, " + LONG
                + "</p></noscript><div hidden>" + LONG + "</div></body>")).doesNotContain("scripts")
                .hasSize(LONG.length() * 6 - 1);
    }

    @Test
    void boxesThatOnlyScreenReadersLeaveOutAreText() {
        assertThat(text("<body><main><div aria-hidden=true><p>" + LONG + "</p></div><p>Two.</p></main></body>"))
                .startsWith("A sentence");
    }

    @Test
    void anArticleThatSaysSoIsNoThreadHoweverManyCommentsItHas() {
        String page = "<head>%s</head><body><main><p>Short news.</p><div class=comments>"
                + ("<div class=comment><p>" + LONG.repeat(3) + "</p></div>").repeat(20) + "</div></main></body>";
        assertThat(text(page.formatted("<meta property=og:type content=article>"))).isEqualTo("Short news.");
        assertThat(text(page.formatted(""))).contains("people write");
    }

    @Test
    void listsOfLinksKeepThem() {
        String rows = "<tr><td><a href=/a>A long title of a story that was told by somebody</a></td></tr>".repeat(40);
        assertThat(text("<body><div><p>Jobs here.</p><table>" + rows + "</table></div></body>")).contains("long title");
    }

    @Test
    void aHeaderWithTheMainHeadingIsNoFrame() {
        assertThat(
                text("<body><div id=header><h1>git-add(1) Manual Page</h1><h2>NAME</h2><p>git-add - Add files</p></div>"
                        + "<div id=content><h2>SYNOPSIS</h2><p>" + LONG.repeat(5)
                        + "</p></div><div id=footer>Last updated in May</div></body>"))
                .startsWith("git-add(1) Manual Page\n\nNAME\n\ngit-add - Add files\n\nSYNOPSIS")
                .endsWith("understood.");
    }

    @Test
    void tabsHaveTheirPanels() {
        assertThat(text("<body><main><p>Before.</p><div role=tablist><h3>First</h3><p>" + LONG.repeat(20)
                + "</p></div></main></body>")).contains("people write");
    }

    @ParameterizedTest
    @ValueSource(strings = {"role=tabpanel", "class=accordion-body", "aria-labelledby=question-1", "class=faqAnswer"})
    void whatATabOrAQuestionOpensIsTextThoughItIsHiddenUntilThen(String panel) {
        String page = "<body><main><p>" + LONG.repeat(6) + "</p><div " + panel
                + " style='display: none'><p>Extra words</p></div></main></body>";
        assertThat(text(page)).endsWith("Extra words");
        assertThat(new TextExtraction(10_000, Set.of(TextRule.CLOSED_PANELS)).of(page)).doesNotContain("Extra");
        assertThat(text(page.replace(panel, "class=menu"))).doesNotContain("Extra");
    }

    @Test
    void aBoxThatRepeatsAnEarlierOneIsReadOnceAndShortAndOtherOnesAreAllRead() {
        String page = "<body><main><div class=wide><p>%1$s</p></div><p>Between.</p><div class=narrow><div><p>%2$s</p>"
                + "</div></div><p>%1$s</p></main></body>";
        assertThat(text(page.formatted(LONG, LONG))).containsOnlyOnce("Between").matches(
                text -> text.split("as many words", -1).length == 3, "the box is read once, and the paragraph, too");
        assertThat(text(page.formatted(LONG, LONG.replace("many", "more")))).contains("as many words", "as more words");
        assertThat(text("<body><main><div>No comment.</div><p>" + LONG + "</p><div>No comment.</div></main></body>"))
                .startsWith("No comment.").endsWith("No comment.");
    }

    @Test
    void theAnswersOfAThreadThatSaysSoAreTextHoweverLongItsFirstPostIs() {
        String page = "<head><meta property=og:type content=article><script type=application/ld+json>{\"@type\":\"%s\"}"
                + "</script></head><body><main><p>" + LONG.repeat(9) + "</p><div class=comments><p>So it is.</p></div>"
                + "</main></body>";
        assertThat(text(page.formatted("DiscussionForumPosting"))).endsWith("So it is.");
        assertThat(text(page.formatted("QAPage"))).endsWith("So it is.");
        assertThat(text(page.formatted("NewsArticle"))).doesNotContain("So it is.");
    }

    @Test
    void aFormWithoutFieldsIsABoxAndAnotherOneIsNoText() {
        String page = "<body><main><p>" + LONG.repeat(6) + "</p><form><input type=hidden value=7>%s<p>What I think.</p>"
                + "</form></main></body>";
        assertThat(text(page.formatted(""))).endsWith("What I think.");
        assertThat(text(page.formatted("<input name=q>"))).doesNotContain("think");
    }

    @Test
    void textsWithoutBlanksAreProse() {
        String prose = "這是一個很長的句子它沒有任何空格但是它說了很多東西而且人們可以讀懂它".repeat(12);
        assertThat(text(
                "<body><div><ul><li><a href=/>首頁</a></li></ul></div><div><div><p>" + prose + "</p></div></div></body>"))
                .isEqualTo(prose);
    }

    @Test
    void theDateOfAnArticleIsNoTextAndThatOfAnythingElseIs() {
        String page = "<body><%s><p>" + LONG.repeat(6) + "</p><p class=post-date>May 4</p></%s></body>";
        assertThat(text(page.formatted("article", "article"))).doesNotContain("May");
        assertThat(text(page.formatted("main", "main"))).contains("May");
    }

    @Test
    void whatFieldsHaveOfAnArticleIsNoTextAndItsSectionsHaveTheirHeadings() {
        String page = "<body><%s><header><h1>The title</h1><p>What it says in short.</p></header><p>" + LONG.repeat(6)
                + "</p><section><header><h2>A section</h2></header><p>" + LONG + "</p></section><h1>A part</h1><p>"
                + LONG + "</p></%s></body>";
        assertThat(text(page.formatted("article", "article"))).startsWith("A sentence").contains("A section", "A part");
        assertThat(text(page.formatted("main", "main"))).startsWith("The title").contains("in short");
        assertThat(text("<body><article><h1>The title</h1>%s</article></body>".formatted("<p>" + LONG.repeat(6))))
                .startsWith("A sentence");
        assertThat(text("<body><article><h1>All there is to read here</h1><p>Soon.</p></article></body>"))
                .contains("All there is");
    }

    @Test
    void aLineWithOnlyALinkIsNoTextOfAnArticleHoweverShortThatIs() {
        String page = "<body><%s><p>" + LONG.repeat(4) + "</p><p>Read more: <a href=/b>What happened in another town"
                + "</a></p><p>" + LONG + "</p></%s></body>";
        assertThat(text(page.formatted("article", "article"))).doesNotContain("town");
        assertThat(text(page.formatted("main", "main"))).contains("town");
    }

    @Test
    void whatAPageTestsIsTextAndWhatItsVisitorsSayIsNot() {
        String page = "<body><main><p>" + LONG.repeat(6) + "</p><div class=%s><p>Good shoes.</p></div></main></body>";
        assertThat(text(page.formatted("product-review-card"))).contains("shoes");
        assertThat(text(page.formatted("customer-reviews"))).doesNotContain("shoes");
    }

    @Test
    void codeHasItsCommentsAndAContentsListsTargetsAreText() {
        assertThat(text("<body><main><p>" + LONG.repeat(6) + "</p><pre><span class=hljs-comment># as root</span>\nmount"
                + "</pre><section id=toc_2><p>Part two.</p></section></main></body>"))
                .contains("# as root\nmount", "Part two.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"func_signature", "member-signature", "tsd-signature", "tsd-comment tsd-typography",
            "comment cmt"})
    void whatDocumentsOfCodeCallASignatureOrACommentIsText(String name) {
        String page = "<body><main><p>" + LONG.repeat(6) + "</p><div class='" + name
                + "'>close() of a file</div></main></body>";
        assertThat(text(page)).contains("close()");
        assertThat(text(page.replace(name, "signature"))).doesNotContain("close()");
        assertThat(text(page.replace(name, "comment"))).doesNotContain("close()");
    }

    @Test
    void theIdsOfHeadingsAndTermsAreNoNames() {
        assertThat(text("<body><main><p>" + LONG.repeat(6) + "</p><section id=credits><h2 id=see-also>See also</h2><dl>"
                + "<dt id=smtp.login>SMTP.login(user)</dt><dd>Logs in.</dd></dl></section></main></body>"))
                .endsWith("See also\n\nSMTP.login(user)\nLogs in.");
    }

    @Test
    void aSidebarBetweenTheParagraphsOfAManualIsText() {
        String page = "<body><div><div class=sidebar>Sign up.</div><div class=content><p>" + LONG.repeat(6)
                + "</p><div class=sidebar><p>A note on tools.</p></div><p>End.</p></div></div></body>";
        assertThat(text(page)).contains("A note on tools.").doesNotContain("Sign up");
    }

    @Test
    void aManualWithMostOfItsTextInOneSectionHasTheOthersToo() {
        assertThat(text("<body><div class=chapter><div class=sect1><h2>SYNOPSIS</h2><pre>git add</pre></div>"
                + "<div class=sect1><h2>DESCRIPTION</h2><p>" + LONG.repeat(9) + "</p></div></div></body>"))
                .startsWith("SYNOPSIS\n\ngit add\n\nDESCRIPTION");
    }

    @Test
    void aRemarkThatAManualRepeatsIsTextWhereverItStands() {
        String remark = "<div class=versionchanged><p>Changed in version 3.9: the argument is a keyword.</p></div>";
        assertThat(text(
                "<body><main><p>" + LONG.repeat(40) + "</p>" + remark + "<p>Next.</p>" + remark + "</main></body>"))
                .endsWith("keyword.");
    }

    @Test
    void aPostHasNothingOfThePostThatItQuotesAndAnArticleHasItsQuotations() {
        String page = "<body><%s><p>" + LONG.repeat(6)
                + "</p><blockquote class=bbCodeBlock--quote>Ann said</blockquote></%s></body>";
        assertThat(text(page.formatted("main", "main"))).doesNotContain("Ann");
        assertThat(text(page.formatted("article", "article"))).contains("Ann");
        assertThat(text(page.formatted("main", "main").replace("bbCodeBlock--quote", "wp-block-quote")))
                .contains("Ann");
    }

    @Test
    void aBoxWithMostOfTheProseIsTextWhateverItsNameIs() {
        assertThat(text("<body><main><div class=article-header><p>" + LONG.repeat(6) + "</p><ul>"
                + "<li><a href=/>A link that leads to something else</a></li>".repeat(10)
                + "</ul></div><p>End.</p></main></body>")).contains("people write");
    }

    @Test
    void aPageThatShowsLittleHasWhatItsLinkedDataStates() {
        String page = "<head><script type=application/ld+json>{\"@type\":\"%s\",\"%s\":\"<p>" + LONG.repeat(3)
                + "</p><p>Wool.</p>\"}</script></head><body><main><p>Choose a size</p>%s</main></body>";
        assertThat(text(page.formatted("Product", "description", ""))).startsWith("A sentence").endsWith("\n\nWool.");
        assertThat(text(page.formatted("NewsArticle", "articleBody", ""))).startsWith("A sentence");
        assertThat(text(page.replace(LONG.repeat(3), LONG.repeat(300)).formatted("NewsArticle", "articleBody", "")))
                .startsWith("A sentence").endsWith("Wool.");
        assertThat(text(page.formatted("WebSite", "description", ""))).isEqualTo("Choose a size");
        assertThat(text(page.formatted("Product", "description", "<p>" + LONG.repeat(3) + "</p>")))
                .startsWith("Choose a size");
    }

    @ParameterizedTest
    @CsvSource({"UNSEEN_NAMES, sr-only", "UNSEEN_NAMES, hidden", "CLUTTER_NAMES, shareBar",
            "CLUTTER_NAMES, gdpr-consent", "CLUTTER_NAMES, ad-label", "PERSON_NAMES, author-bio",
            "PERSON_NAMES, cAuthorPane", "DISCUSSIONS, comments", "CAPTIONS, caption", "BUTTONS, btn-primary",
            "OTHER_SCREENS, hidden-desktop"})
    void aRuleThatIsLeftOutLeavesNothingOut(TextRule rule, String name) {
        String page = "<body><main><p>" + LONG.repeat(6) + "</p><div class=" + name
                + ">Extra words</div></main></body>";
        assertThat(text(page)).doesNotContain("Extra");
        assertThat(new TextExtraction(10_000, Set.of(rule)).of(page)).contains("Extra");
    }

    @Test
    void aHeadingThatIsAButtonIsTextAndAnotherButtonIsNot() {
        String page = "<body><main><p>" + LONG.repeat(6) + "</p><h3><button>Why so?</button></h3><div class=collapse>"
                + "<p>Because.</p></div><button>Send</button></main></body>";
        assertThat(text(page)).endsWith("Why so?\n\nBecause.");
        assertThat(new TextExtraction(10_000, Set.of(TextRule.HEADING_BUTTONS)).of(page)).doesNotContain("Why");
    }

    @Test
    void aListOfLinksIsOneWhateverIsSaidOfNewsletterAndCookies() {
        String page = "<body><div><p>Choose a kind.</p><div>"
                + "<div><a href=/a>Belt keepers</a> <a href=/b>Binders</a></div>".repeat(20)
                + "</div></div><div class=newsletter>" + LONG.repeat(2) + "</div><div class=cookie-banner>"
                + LONG.repeat(2) + "</div></body>";
        assertThat(text(page)).contains("Binders").doesNotContain("people write");
        assertThat(new TextExtraction(10_000, Set.of(TextRule.CLUTTERED_LISTS)).of(page)).doesNotContain("Binders");
    }

    @Test
    void aListOfTeasersIsTextThoughThePageSaysThatItIsAnArticle() {
        StringBuilder teasers = new StringBuilder();
        for (int i = 4; i < 10; i++) {
            teasers.append("<article class=node--teaser><p>").append(LONG.repeat(i)).append("</p></article>");
        }
        String page = "<head><meta property=og:type content=article></head><body><main>%s" + teasers
                + "<div class=share>Tell others</div></main></body>";
        assertThat(text(page.formatted(""))).contains("people write").doesNotContain("Tell others");
        assertThat(text(page.formatted("<p>" + "What happened to somebody yesterday. ".repeat(120) + "</p>")))
                .contains("yesterday").doesNotContain("people write");
    }

    @Test
    void aPageWithoutASentenceHasNothingOfItsFrameAndOneOfAFrameOfLinksHasNoText() {
        String frame = "<body><nav>" + "<a href=/a>A long name of something to buy</a> ".repeat(9) + "</nav>%s</body>";
        assertThat(text(frame.formatted("<div><h1>Soon</h1><h2>In May</h2></div>"))).isEqualTo("Soon\n\nIn May");
        assertThat(text(frame.formatted("<div id=app></div>"))).isEmpty();
        assertThat(text("<body><header><p>" + LONG + "</p></header></body>")).contains("people write");
    }

    @Test
    void thePostsOfAThreadAreTextHoweverManyLinksTheyHave() {
        assertThat(text("<body><main><h1>Hair</h1>"
                + ("<div class=comment><a href=/u>Somebody who wrote it</a> <a"
                        + " href=/p>permalink</a> <a href=/r>report</a><p>So it is, we think.</p></div>").repeat(9)
                + "</main></body>")).contains("So it is");
    }

    @Test
    void wordsThatStylesKeepApartAreNotOneWordInTextAndElements() {
        String page = "<body><main><p>%s</p><p>" + LONG + "</p></main></body>";
        String cup = "<span class=brand>Acme</span><span class=name>Cup</span>";
        assertThat(text(page.formatted(cup))).startsWith("Acme Cup\n");
        assertThat(ReadableText.read(Jsoup.parse(page.formatted(cup))).markup().text()).startsWith("Acme Cup ");
        assertThat(text(page.formatted("<code>" + cup + "</code>"))).startsWith("AcmeCup\n");
        assertThat(text(page.formatted("<span class=cap>A</span><span class=rest>CME</span>"))).startsWith("ACME\n");
        assertThat(text(page.formatted("<span>iP</span><span>hone</span>"))).startsWith("iPhone\n");
    }

    @Test
    void theElementsOfATextHaveItsWords() {
        for (MadePage page : MadePages.all()) {
            ReadableText read = ReadableText.read(Jsoup.parse(page.html()));
            assertThat(words(read.markup().text())).as(page.type() + ", " + page.template())
                    .isEqualTo(words(read.text()));
        }
    }

    private static String text(String html) {
        return new TextExtraction(100_000, Set.of()).of(html);
    }

    private static List<String> words(String text) {
        return List.of(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"));
    }

    /** The harmonic mean of precision and recall of words. */
    private static double f1(String text, String wanted) {
        Map<String, Integer> left = new HashMap<>();
        words(wanted).forEach(word -> left.merge(word, 1, Integer::sum));
        int both = 0;
        for (String word : words(text)) {
            both += left.merge(word, -1, Integer::sum) >= 0 ? 1 : 0;
        }
        return 2.0 * both / (words(text).size() + words(wanted).size());
    }
}
