package io.trawl.analyzer.sitemap;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.api.Link;
import io.trawl.api.Parsed;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Of several entries one is damaged: all others come, and nothing that stands nowhere. */
class DamagedSitemapTest {
    private static final Pattern TAG = Pattern.compile("<(/?)([a-z]+)([^>]*)>");
    private static final List<String> FORMS = List.of(
            "<url>\n<loc>%s</loc><lastmod>2026-01-02</lastmod><!-- c --></url>\n",
            "<url><lastmod/><loc><![CDATA[%s]]></loc></url>", "<sitemap><loc>%s</loc></sitemap>",
            "<item><title>T &amp; t</title><link>%s</link><guid>g</guid></item>",
            "<item><description><![CDATA[<p>x</p>]]></description><link><![CDATA[%s]]></link></item>",
            "<entry><title>T</title><link href=\"%s\"/><id>i</id></entry>");
    private static final Map<String, String> ROOTS = Map.of("url", "urlset", "sitemap", "sitemapindex", "item", "rss",
            "entry", "feed");

    /** A damage of a text. @param place a part of its length */
    record Damage(String kind, double place) {
        String of(String entry) {
            List<MatchResult> tags = TAG.matcher(entry).results().toList();
            MatchResult tag = tags.get((int) (place * tags.size()));
            String name = tag.group(2);
            int at = (int) (place * entry.length());
            return switch (kind) {
                case "missing" -> entry.substring(0, tag.start()) + entry.substring(tag.end());
                case "doubled" -> entry.substring(0, tag.start()) + tag.group() + entry.substring(tag.start());
                case "misspelt" -> entry.substring(0, tag.start(2)) + name.charAt(name.length() - 1)
                        + name.substring(0, name.length() - 1) + entry.substring(tag.end(2));
                case "unquoted" -> entry.replaceFirst("\"(?=/)", "");
                case "unclosed" -> entry.substring(0, tag.end() - 1) + entry.substring(tag.end());
                default -> entry.substring(0, at) + kind + entry.substring(at);
            };
        }
    }

    @Provide
    Arbitrary<Damage> damages() {
        return Combinators.combine(Arbitraries.of("missing", "doubled", "misspelt", "unquoted", "unclosed", "&", "<",
                ">", "&nbsp;", "&#0;", "<!--", "<![CDATA[", "<!", "<?", "\"", "'", "<br>", "</p>", "\u0001", "\uFFFD",
                "]]>", "-->"), Arbitraries.doubles().between(0, true, 1, false)).as(Damage::new);
    }

    @Property(tries = 5000)
    void theOtherEntriesComeAndNothingThatStandsNowhere(@ForAll("damages") Damage damage,
            @ForAll @net.jqwik.api.constraints.IntRange(max = 5) int form,
            @ForAll @net.jqwik.api.constraints.IntRange(min = 1, max = 5) int count,
            @ForAll @net.jqwik.api.constraints.IntRange(max = 4) int which) throws IOException {
        int damaged = which % count;
        String template = FORMS.get(form);
        String root = ROOTS.get(template.substring(1, template.indexOf('>')));
        List<String> others = new ArrayList<>();
        StringBuilder xml = new StringBuilder("<?xml version='1.0'?><" + root + ">");
        for (int i = 0; i < count; i++) {
            String url = "http://a.org/p" + i + "/?x=1";
            String entry = template.formatted(url);
            xml.append(i == damaged ? damage.of(entry) : entry);
            if (i != damaged) {
                others.add(url);
            }
        }
        List<String> found = urls(xml.append("</" + root + ">").toString());
        assertThat(found.stream().filter(others::contains)).as(xml.toString()).containsExactlyElementsOf(others);
        List<String> own = new ArrayList<>(found);
        own.removeAll(others);
        // A character that was put into the URL, and is one of it, belongs to it; CDATA and the text before it are one
        // text.
        // What a quote cuts off stands nowhere.
        boolean quote = damage.kind().equals("\"");
        String plain = xml.toString().replace("<![CDATA[", "").replace("]]>", "");
        assertThat(own).as(xml.toString()).hasSizeLessThanOrEqualTo(1).noneMatch(url -> url.contains("\uFFFD"))
                .allMatch(url -> url.equals("http://a.org/p" + damaged + "/?x=1")
                        || damage.kind().length() <= 6 && plain.contains(">" + url + "<")
                        || xml.indexOf("[" + url + "]") > 0 || !quote && xml.indexOf('"' + url + '"') > 0
                        || damage.kind().startsWith("&"));
    }

    private static List<String> urls(String xml) throws IOException {
        Parsed parsed = new SitemapParser()
                .parse(new FetchedPage(
                        Fixtures.response(
                                Fixtures.request("http://a.org/sitemap.xml", 1,
                                        FetchOptions.ofSource(FetchOptions.SITEMAP)),
                                new Outcome.Success(200, false), Map.of("content-type", "application/xml"),
                                xml.getBytes(StandardCharsets.UTF_8)),
                        Fixtures.definition("{}")));
        return parsed.links().orElseThrow().stream().map(Link::href).toList();
    }
}
