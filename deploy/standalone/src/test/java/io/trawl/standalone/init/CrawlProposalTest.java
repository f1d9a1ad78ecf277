package io.trawl.standalone.init;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.settings.Settings;
import io.trawl.standalone.TrawlCommand;
import io.trawl.standalone.TrawlCommand.Said;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.local.LocalOptions;
import io.trawl.standalone.local.LocalPreviewer;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.ManualTime;
import io.trawl.testkit.SeenRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is proposed for small sites, without a pause. */
class CrawlProposalTest {
    private final Settings settings = LocalOptions.settings(List.of("127.0.0.0/8"));
    private final FakeWeb web = FakeWeb.start(1);
    private final FakeHost host = web.host(0);
    private final StringWriter said = new StringWriter();
    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        web.close();
    }

    /** The proposal for the site, which is a valid crawl file. */
    private String proposal() throws Exception {
        try (LocalPreviewer previewer = new LocalPreviewer(settings, ManualTime.flowing())) {
            String text = new CrawlProposal(previewer, settings)
                    .of(new SiteSurvey(previewer, settings, new PrintWriter(said)).of(host.url("/")));
            Path file = Files.writeString(folder.resolve("site.yaml"), text);
            assertThat(TrawlCommand.run("validate", file.toString())).as(text)
                    .isEqualTo(new Said(0, file + ": valid\n", ""));
            return text;
        }
    }

    /** A first page that leads to some others. @param page of a number */
    private void pages(int many, IntFunction<String> page) {
        host.page("/", "<title>Shop</title>" + IntStream.range(0, many)
                .mapToObj(i -> "<a href='/p/" + i + "'>Page " + i + "</a>").collect(Collectors.joining()));
        IntStream.range(0, many).forEach(i -> host.page("/p/" + i, page.apply(i)));
    }

    @Test
    void whatJsonLdSaysComesFirstAndSitemapsAndFeedsAreTaken() throws Exception {
        pages(4, i -> "<link rel=alternate type='application/rss+xml' href='/feed'><h1>Thing " + i + "</h1>"
                + "<script type='application/ld+json'>{\"@type\":\"BreadcrumbList\"}</script>"
                + "<script type='application/ld+json'>{\"@type\":\"Product\",\"name\":\"Thing " + i
                + "\",\"offers\":{\"price\":" + i
                + "}}</script><div itemscope itemtype='https://schema.org/Offer'></div>");
        host.robots("User-agent: *\nAllow: /\nSitemap: " + host.url("/map.xml"));
        host.route("/map.xml", Behaviours.bytes("application/xml",
                ("<urlset><url><loc>" + host.url("/p/9") + "</loc></url></urlset>").getBytes(StandardCharsets.UTF_8)));
        String proposal = proposal();
        assertThat(proposal).contains("discover: {from: both, feeds: true}  # " + host.url("/map.xml"),
                "    - type: product  # JSON-LD of the type Product, on 4 of 5 pages\n",
                "        name: {\"jsonld\":\"/name\"}\n", "        price: {\"jsonld\":\"/offers/price\"}\n",
                "#   " + host.url("/p/3") + ": 1 product\n").doesNotContain("# Not found", "sku", "breadcrumb");
    }

    @Test
    void thingsOfSchemaOrgAreItemsWithTheirProperties() throws Exception {
        pages(3, i -> IntStream.range(0, 4)
                .mapToObj(n -> "<div itemscope itemtype='https://schema.org/Event'>" + "<b itemprop=name>E" + n
                        + "</b><time itemprop=startDate datetime=2026-01-0" + (n + 1) + ">x</time>"
                        + "<i itemprop=url>reserved</i></div>")
                .collect(Collectors.joining()));
        assertThat(proposal())
                .contains("- type: event  # microdata of schema.org, 12 on 3 of 4 pages", "each: '[itemtype$=/Event]'",
                        "name: {microdata: name}", "startDate: {microdata: startDate}",
                        "#   " + host.url("/p/2") + ": 4 event\n", "# Not found: a sitemap, feeds, JSON-LD.\n")
                .doesNotContain("microdata: url");
    }

    @Test
    void entriesOfListsHaveTitleLinkPriceImageAndDate() throws Exception {
        pages(2, i -> "<nav><ul>" + "<li><a href=/a><img src=a></a>".repeat(5) + "</ul></nav><ul>"
                + IntStream.range(0, 4)
                        .mapToObj(n -> "<li class=row><article class='offer'>" + "<img src=/i.png><h3><a href='/x/" + i
                                + n + "'>Offer " + i + n + "</a></h3>" + "<span class=price>1." + n
                                + "0 €</span><time datetime=2026-01-02>2 Jan</time></article>")
                        .collect(Collectors.joining())
                + "</ul>");
        assertThat(proposal()).contains("- type: offer  # entries of lists, 8 on 2 of 3 pages",
                "each: 'li.row > article.offer'", "title: {css: 'h1, h2, h3, h4, h5, h6'}",
                "link: {css: 'a[href]', type: url, required: true}", "price: {css: '[class*=price]', type: money}",
                "image: {css: 'img[src]', type: url}", "date: {css: 'time', attribute: datetime, type: date}");
    }

    @Test
    void pagesOfATemplateAreItemsWithItsParts() throws Exception {
        pages(5, i -> "<h1>Command " + i + "</h1><h2 id=n>NAME</h2><p>c" + i + "</p><h2 id=s>SYNOPSIS</h2><p>run" + i
                + "</p><h2 id=g>GROUP</h2><p>all</p>");
        assertThat(proposal()).contains("match: '/p/*'", "title: {css: 'h1', required: true}",
                "name: {css: 'h2:matchesOwn(^NAME$) + *'}", "synopsis: {css: 'h2:matchesOwn(^SYNOPSIS$) + *'}",
                "#   " + host.url("/p/4") + ": 1 p\n").doesNotContain("group:");
    }

    @Test
    void whatIsNotFoundIsSaid() throws Exception {
        host.page("/", "<title>Nothing</title><p>here: #'\n</p>");
        assertThat(proposal())
                .contains("#   " + host.url("/") + ": 1 page\n", "made of 1 page of this site.",
                        "# Not found: links (if scripts make them, fetch: browser runs these), a sitemap, feeds,"
                                + " JSON-LD, microdata, anything that comes again and again: each page is an item.\n")
                .doesNotContain("extract");
    }

    @Test
    void robotsTxtIsObeyedAndADozenRequestsAreMadeWhichAreSaid() throws Exception {
        host.robots("User-agent: *\nDisallow: /p/1");
        pages(30, i -> "<h1>" + i + "</h1>");
        proposal();
        assertThat(web.visits(host)).extracting(SeenRequest::path).hasSizeBetween(8, 13)
                .noneMatch(path -> path.startsWith("/p/1"));
        assertThat(said.toString()).contains(host.url("/") + ": ", host.url("/robots.txt") + ": ",
                host.url("/sitemap.xml") + ": HTTP_ERROR", "ROBOTS");
        assertThat(web.visits(host)).extracting(SeenRequest::path).filteredOn(path -> !path.equals("/robots.txt"))
                .allMatch(path -> said.toString().contains(host.url(path) + ": "));
    }

    @Test
    void noFileIsOverwrittenAndASiteWithoutAFirstPageIsSaid() throws Exception {
        Path file = Files.createFile(folder.resolve("there.yaml"));
        assertThat(TrawlCommand.run("init", host.url("/"), "--out", file.toString(), "--allow-network", "127.0.0.0/8"))
                .isEqualTo(new Said(ExitCode.MISTAKE, "", "trawl: " + file + " exists: give the name of a new file\n"));
        assertThat(web.visits(host)).isEmpty();
        Said none = TrawlCommand.run("init", host.url("/none"), "--allow-network", "127.0.0.0/8");
        assertThat(none.code()).isEqualTo(ExitCode.MISTAKE);
        assertThat(none.err()).endsWith("trawl: " + host.url("/none") + " is no page in HTML that can be looked at:"
                + " HTTP_ERROR: the server answered with status 404\n");
        assertThat(TrawlCommand.run("init", "x.yaml", "--out", "y.yaml").err())
                .isEqualTo("trawl: --out: 'y.yaml' is not valid: together with a URL\n");
    }

    @Test
    void onlyWhatWouldFailAgainIsAMistake() {
        host.route("/busy", Behaviours.status(503));
        assertThat(TrawlCommand.run("init", host.url("/busy"), "--allow-network", "127.0.0.0/8").code())
                .isEqualTo(ExitCode.FAILURE);
        assertThat(TrawlCommand.run("init", "http://127.0.0.1:1/", "--allow-network", "127.0.0.0/8"))
                .satisfies(closed -> {
                    assertThat(closed.code()).isEqualTo(ExitCode.FAILURE);
                    assertThat(closed.err()).contains("CONNECT: no connection to 127.0.0.1:1");
                });
        assertThat(TrawlCommand.run("init", host.url("/"))).satisfies(refused -> {
            assertThat(refused.code()).isEqualTo(ExitCode.MISTAKE);
            assertThat(refused.err()).contains("ADDRESS: ", "a loopback address", "--allow-network");
        });
    }

    @Test
    void theNextCommandHasTheNetworksThatTheSiteNeeds() {
        host.page("/", "<title>A page</title>");
        Path file = folder.resolve("own site.yaml");
        assertThat(TrawlCommand.run("init", host.url("/"), "--out", file.toString(), "--allow-network", "127.0.0.0/8",
                "--allow-network", "10.0.0.0/8").out())
                .isEqualTo(file + " is written; next: trawl crawl --file '" + file
                        + "' --allow-network 127.0.0.0/8 --allow-network 10.0.0.0/8\n");
    }
}
