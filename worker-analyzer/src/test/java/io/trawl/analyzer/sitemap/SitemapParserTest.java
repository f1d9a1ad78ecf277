package io.trawl.analyzer.sitemap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.api.Link;
import io.trawl.api.Parsed;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of a sitemap; the first examples are those of sitemaps.org. */
class SitemapParserTest {
    private static final String URL = "https://www.example.com/maps/sitemap.xml";
    private static final String NAMESPACE = " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    private static final String SITEMAP = """
            <?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
               <url>
                  <loc>http://www.example.com/</loc>
                  <lastmod>2005-01-01</lastmod>
                  <changefreq>monthly</changefreq>
                  <priority>0.8</priority>
               </url>
               <url>
                  <loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>
                  <changefreq>weekly</changefreq>
               </url>
               <url>
                  <loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>
                  <lastmod>2004-12-23T18:00:15+00:00</lastmod>
                  <priority>0.3</priority>
               </url>
            </urlset>""";

    private static FetchedPage page(byte[] body, String contentType, boolean cut, String definition) {
        return new FetchedPage(
                Fixtures.response(Fixtures.request(URL, 1, FetchOptions.ofSource(FetchOptions.SITEMAP)),
                        new Outcome.Success(200, cut), Map.of("content-type", contentType), body),
                Fixtures.definition(definition));
    }

    private static Parsed parse(byte[] body, boolean cut) {
        try {
            return new SitemapParser().parse(page(body, "application/xml", cut, "{}"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Parsed parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8), false);
    }

    private static List<String> urls(Parsed parsed) {
        return parsed.links().orElseThrow().stream().map(Link::href).toList();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void aSitemapNamesPagesWithTheirLastChangeAndPriority() {
        Parsed parsed = parse(SITEMAP);
        assertThat(urls(parsed)).containsExactly("http://www.example.com/",
                "http://www.example.com/catalog?item=12&desc=vacation_hawaii",
                "http://www.example.com/catalog?item=74&desc=vacation_newfoundland");
        assertThat(parsed.links().orElseThrow()).extracting(link -> link.options().metadata()).containsExactly(
                Map.of("sitemap.lastmod", "2005-01-01T00:00:00Z", "sitemap.priority", "0.8"),
                Map.of("sitemap.priority", "0.5"),
                Map.of("sitemap.lastmod", "2004-12-23T18:00:15Z", "sitemap.priority", "0.3"));
        assertThat(parsed.errors()).isEmpty();
        assertThat(parsed.truncated()).isFalse();
    }

    @Test
    void anIndexNamesSitemaps() {
        Parsed parsed = parse("""
                <?xml version="1.0" encoding="UTF-8"?>
                <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
                   <sitemap>
                      <loc>http://www.example.com/sitemap1.xml.gz</loc>
                      <lastmod>2004-10-01T18:23:17+00:00</lastmod>
                   </sitemap>
                   <sitemap>
                      <loc>http://www.example.com/sitemap2.xml.gz</loc>
                      <lastmod>2005-01-01</lastmod>
                   </sitemap>
                </sitemapindex>""");
        assertThat(urls(parsed)).containsExactly("http://www.example.com/sitemap1.xml.gz",
                "http://www.example.com/sitemap2.xml.gz");
        assertThat(parsed.links().orElseThrow()).extracting(Link::options).containsOnly(SitemapParser.REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://a.org/1\nhttp://a.org/2\n", "\uFEFFhttp://a.org/1\r\n\r\nhttp://a.org/2",
            "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title>"
                    + "<item><link>http://a.org/1</link></item><item><link>http://a.org/2</link></item></channel></rss>",
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='http://a.org/1'/></entry>"
                    + "<entry><link href='http://a.org/2'/></entry></feed>",
            "<urlset><url><loc>http://a.org/1</loc></url><url><loc>\n http://a.org/2\n</loc></url></urlset>",
            "<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'><url><loc>http://a.org/1</loc></url>"
                    + "<url><loc>http://a.org/2</loc></url></urlset>",
            "\uFEFF<urlset><url><loc>http://a.org/1</loc></url><url><loc>http://a.org/2</loc></url></urlset>"})
    void theOtherFormsNamePagesToo(String text) {
        assertThat(urls(parse(text))).containsExactly("http://a.org/1", "http://a.org/2");
    }

    @Test
    void aSitemapIsReadWhateverTypeItsServerDeclares() throws IOException {
        for (String type : List.of("text/plain", "text/html", "application/octet-stream", "application/gzip",
                "image/png")) {
            Parsed parsed = new SitemapParser()
                    .parse(page(SITEMAP.getBytes(StandardCharsets.UTF_8), type, false, "{}"));
            assertThat(urls(parsed)).as(type).hasSize(3);
        }
    }

    @Test
    void aSitemapIsDecompressedAlsoIfItsServerCompressesItOnceMore() throws IOException {
        byte[] once = gzip(SITEMAP.getBytes(StandardCharsets.UTF_8));
        assertThat(urls(parse(once, false))).hasSize(3);
        assertThat(urls(parse(gzip(once), false))).hasSize(3);
    }

    @Test
    void ofACutBodyTheWholeUrlsAreRead() throws IOException {
        byte[] text = "http://a.org/1\nhttp://a.org/2".getBytes(StandardCharsets.UTF_8);
        assertThat(parse(text, true)).satisfies(parsed -> {
            assertThat(urls(parsed)).containsExactly("http://a.org/1");
            assertThat(parsed.truncated()).isTrue();
        });
        String xml = SITEMAP.substring(0, SITEMAP.indexOf("_hawaii"));
        assertThat(parse(xml.getBytes(StandardCharsets.UTF_8), true)).satisfies(parsed -> {
            assertThat(urls(parsed)).containsExactly("http://www.example.com/");
            assertThat(parsed.fields()).as("the entry that is cut is not damaged").isEmpty();
        });
        String behindTheLastUrl = SITEMAP.substring(0, SITEMAP.indexOf("2004-12-23"));
        assertThat(urls(parse(behindTheLastUrl.getBytes(StandardCharsets.UTF_8), true))).hasSize(3);
        byte[] random = new byte[3000];
        new Random(1).nextBytes(random);
        String incompressible = SITEMAP + "<!--" + java.util.Base64.getEncoder().encodeToString(random) + "-->";
        byte[] gzip = gzip(incompressible.getBytes(StandardCharsets.UTF_8));
        assertThat(parse(Arrays.copyOf(gzip, gzip.length / 2), true)).satisfies(parsed -> {
            assertThat(urls(parsed)).hasSize(3);
            assertThat(parsed.truncated()).isTrue();
        });
    }

    @Test
    void beyondFiftyThousandUrlsTheRestIsLeftOut() {
        String entries = IntStream.range(0, 50_001).mapToObj(i -> "<url><loc>http://a.org/" + i + "</loc></url>")
                .collect(Collectors.joining());
        Parsed parsed = parse("<urlset" + NAMESPACE + ">" + entries + "</urlset>");
        assertThat(urls(parsed)).hasSize(50_000).endsWith("http://a.org/49999");
        assertThat(parsed.truncated()).isTrue();
        String exactly = entries.substring(0, entries.lastIndexOf("<url>"));
        assertThat(parse("<urlset" + NAMESPACE + ">" + exactly + "</urlset>").truncated()).isFalse();
    }

    /** A bomb of gzip: 200 MB of blanks. */
    @Test
    void beyondFiftyMegabytesTheRestIsLeftOut() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(SITEMAP.replace("</urlset>", "").getBytes(StandardCharsets.UTF_8));
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            for (int i = 0; i < 200; i++) {
                gzip.write(blanks);
            }
        }
        Parsed parsed = parse(out.toByteArray(), false);
        assertThat(urls(parsed)).hasSize(3);
        assertThat(parsed.truncated()).isTrue();
    }

    @Test
    void noEntityIsExpandedAndNothingElseIsLoaded() {
        String outside = "<!DOCTYPE urlset [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>";
        String laughs = "<!DOCTYPE urlset [<!ENTITY a '" + "x".repeat(100) + "'>"
                + IntStream.range(0, 10).mapToObj(
                        i -> "<!ENTITY " + (char) ('b' + i) + " '" + ("&" + (char) ('a' + i) + ";").repeat(10) + "'>")
                        .collect(Collectors.joining())
                + "<!ENTITY e '&k;'>]>";
        String external = "<!DOCTYPE urlset SYSTEM 'http://127.0.0.1:1/x.dtd'>";
        for (String declaration : List.of(outside, laughs, external)) {
            Parsed parsed = parse("<?xml version='1.0'?>" + declaration + "<urlset" + NAMESPACE
                    + "><url><loc>http://a.org/&e;</loc></url></urlset>");
            assertThat(urls(parsed)).isEmpty();
            assertThat(parsed.fields()).containsEntry(SitemapParser.NOT_TAKEN, 1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"<!DOCTYPE urlset><urlset><url><loc>/a</loc></url></urlset>|/a|0",
            "<urlset><url><loc>/a?x=1&y=2&copy=3&lang;=&#x26;&eacute;</loc></url></urlset>|/a?x=1&y=2&copy=3⟨=&é|0",
            "<urlset><url><loc>/a&#xD800;</loc></url><url><loc>/b</loc></url></urlset>|/b|1",
            "<urlset><url><loc>/a b{c%</loc></url><url><loc>größe</loc></url></urlset>|/a b{c% größe|0",
            "<urlset><url><loc>/a</url><url><loc>/b</loc></url></urlset>|/b|1",
            "<urlset><url><loc></loc></url><url/><url><loc>/b</loc></url></urlset>|/b|2",
            "<urlset><loc>/a</loc></url><url><loc>/b</loc></url></urlset>|/b|1",
            "<urlset><ulr><loc>/a</loc></ulr><url><loc>/b</loc></url></urlset>|/b|1",
            "<urlset><url><loc>/a</loc><url><loc>/b</loc></urlset>|/a /b|0",
            "<urlset><url><url><loc>/a</loc></url></url></urlset>|/a|0",
            "<urlset><url><loc>/a</loc></url><!-- <url><loc>/old</loc></url> --><url><loc>/b</loc></url></urlset>|/a /b|0",
            "<urlset><!-- <url><loc>/a</loc></url><!-- x --><url><loc>/b</loc></url></urlset>|/a /b|0",
            "<urlset><url><loc><![CDATA[/a</loc></url><url><loc><![CDATA[/b?x&y]]></loc></url></urlset>|/b?x&y|1",
            "<s:urlset xmlns:s='x'><s:url><s:loc>/a</s:loc></s:url></s:urlset>|/a|0",
            "<urlset><url><image xmlns='i'><loc>/i</loc></image><loc>/a</loc></url></urlset>|/a|0",
            "<urlset><sitemap><loc>/s</loc></sitemap><url><loc>/a</loc></url></urlset>|/s /a|0",
            "<rss><channel><link>/c</link><image><url>/i</url></image><item><title>a<b>&nbsp;</title><link>/a</link></item><item><enclosure/></item></channel></rss>|/a|0",
            "<rss><channel><item><description>x<br><p>y</description><link>/a</link></item></channel></rss>|/a|0",
            "<rdf:RDF xmlns:rdf='r'><channel><link>/c</link></channel><item><link>/a</link></item></rdf:RDF>|/a|0",
            "<feed xml:base='/blog/'><link href='/c'/><entry><link rel='self' href='s'/><link href='a'/></entry><entry xml:base='x/'><link rel=alternate href=b></entry></feed>|https://www.example.com/blog/a https://www.example.com/blog/x/b|0",
            "<feed><entry><link href='/a?x=1&y=2'/></entry><entry><link href='/b</entry></feed>|/a?x=1&y=2|1",
            "<url><loc>/a</loc></url></urlset>|/a|0",
            "<!DOCTYPE urlset [<!ENTITY x '<url><loc>/x</loc></url>'>]><urlset><url><loc>/a</loc></url></urlset>|/a|0",
            "<urlset><url><loc>/a\uFFFD</loc></url><url><loc>/b</loc></url></urlset>|/b|1",
            "<urlset xmlns:v='v'><url><v:url><loc>/no</loc></v:url><loc>/a</loc></url></urlset>|/a|0",
            "<rss><channel><item><link>/a<b></b></link></item><item><link>/b</link></item></channel></rss>|/b|1",
            "<rss><channel><item><title>a</item><item><link>/b</link></item></channel></rss>|/b|1",
            "<rss><channel><item><link>/a</link></item><link>/c</link></channel></rss>|/a|0",
            "<rss><channel><item><link>/a</link></item><title>t</title><link>/b</link></item><item><link>/c</link></item></channel></rss>|/a /c|1",
            "<feed><entry><link href='/b</entry><entry><link href='/c'/></entry></feed>|/c|1",
            "<feed><entry><link href='/b'x'/></entry><entry><link href='/c'/></entry></feed>|/c|1"})
    void aFaultCostsItsEntryAloneAndIsCounted(String xml, String expected, int lost) {
        Parsed parsed = parse(xml);
        assertThat(String.join(" ", urls(parsed))).isEqualTo(expected);
        assertThat(parsed.fields().getOrDefault(SitemapParser.NOT_TAKEN, 0)).isEqualTo(lost);
        assertThat(parsed.errors()).isEmpty();
    }

    @Test
    void aUrlOfMoreThanTenThousandCharactersIsNone() {
        String path = "/" + "x".repeat(9_999);
        Parsed parsed = parse("<urlset><url><loc>" + path + "</loc></url><url><loc>" + path + "y</loc></url></urlset>");
        assertThat(urls(parsed)).containsExactly(path);
        assertThat(parsed.fields()).containsEntry(SitemapParser.NOT_TAKEN, 1);
    }

    @Test
    void linesThatAreNoUrlsAreCounted() {
        assertThat(parse("http://a.org/1\nnonsense\nHTTPS://a.org/2")).satisfies(parsed -> {
            assertThat(urls(parsed)).containsExactly("http://a.org/1", "HTTPS://a.org/2");
            assertThat(parsed.fields()).containsEntry(SitemapParser.NOT_TAKEN, 1);
        });
        assertThat(parse("page not found").errors()).singleElement().asString().startsWith("not a sitemap");
    }

    @Test
    void openMarkupIsReadInLinearTime() {
        for (String part : List.of("<!--", "<![CDATA[", "<![", "<!", "<", "</url", "<url ", "<url a='", "<?", "<loc>",
                "<a>", "</b>", "&", "&#", "<!--<url>", "<url><!--", "<![>", "<!DOCTYPE [", "-->", "<a b=",
                "<link href='x")) {
            Parsed parsed = assertTimeoutPreemptively(Duration.ofSeconds(20),
                    () -> parse("<urlset>" + part.repeat(2_000_000 / part.length())));
            assertThat(urls(parsed)).as(part).isEmpty();
        }
    }

    @Test
    void whatIsNoSitemapIsAnErrorAndNoFailure() {
        for (String text : List.of("<!doctype html><title>Not found</title>", "<a><b></a>", "<rss/>", "<", "",
                "<html><url><loc>http://a.org/</loc></url>")) {
            assertThat(urls(parse(text))).as(text).isEmpty();
        }
        assertThat(parse("<!doctype html><title>x</title>").errors()).singleElement().asString()
                .startsWith("not a sitemap");
    }

    @Test
    void neverThrowsWhateverTheBytesAre() throws IOException {
        Random random = new Random(15);
        byte[] valid = SITEMAP.getBytes(StandardCharsets.UTF_8);
        byte[] compressed = gzip(valid);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = (i % 3 == 0 ? compressed : valid).clone();
            for (int change = random.nextInt(20); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            parse(i % 3 == 2 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes, i % 2 == 0);
        }
    }

    @Test
    void otherLanguagesOfAPageAreLinksIfTheCrawlWantsThemAndItsImagesAreNone() throws IOException {
        byte[] sitemap = """
                <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"
                        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
                  <url><loc>http://a.org/en</loc>
                    <xhtml:link rel="alternate" hreflang="de" href="http://a.org/de"/>
                    <image:image><image:loc>http://a.org/i.png</image:loc></image:image></url>
                </urlset>""".getBytes(StandardCharsets.UTF_8);
        SitemapParser parser = new SitemapParser();
        assertThat(urls(parser.parse(page(sitemap, "text/xml", false, "{}")))).containsExactly("http://a.org/en");
        assertThat(urls(
                parser.parse(page(sitemap, "text/xml", false, "{\"discover\":{\"links\":[\"a\",\"alternate\"]}}"))))
                .containsExactly("http://a.org/en", "http://a.org/de");
    }

    @Test
    void robotsTxtNamesSitemapsOrStandsForTheUsualOne() throws IOException {
        String file = "User-agent: *\nDisallow: /\nSitemap: https://cdn.example.com/a.xml\nsitemap: /b.xml\n";
        for (Map.Entry<String, List<String>> expected : Map.of(file,
                List.of("https://cdn.example.com/a.xml", "https://www.example.com/b.xml"), "User-agent: *\nAllow: /",
                List.of("/sitemap.xml"), "<html>not found</html>", List.of("/sitemap.xml"), "", List.of("/sitemap.xml"))
                .entrySet()) {
            Parsed parsed = new RobotsSitemaps()
                    .parse(page(expected.getKey().getBytes(StandardCharsets.UTF_8), "text/plain", false, "{}"));
            assertThat(urls(parsed)).isEqualTo(expected.getValue());
            assertThat(parsed.links().orElseThrow()).extracting(Link::options).containsOnly(SitemapParser.REQUEST);
        }
        assertThat(urls(new RobotsSitemaps()
                .parse(page(gzip(file.getBytes(StandardCharsets.UTF_8)), "text/plain", false, "{}"))))
                .as("as a server or the downloader has compressed it").hasSize(2);
    }
}
