package io.trawl.bench.floor;

import io.trawl.admission.Admission;
import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.codec.Json;
import io.trawl.scope.ScopeRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * What a crawl takes from a page.
 *
 * @param url of the page, in normal form
 * @param links URLs in normal form, on the hosts of the crawl
 * @param json the item: URL, title, text and links
 */
record PageContent(String url, List<String> links, byte[] json) {
    /** Takes it from the body of a page. Thread-safe. */
    static final class PageParser {
        private static final ScopeRules EVERYWHERE = ScopeRules.within(Integer.MAX_VALUE);
        private final Admission admission = new Admission(2048);
        private final Set<String> domains;

        /** @param domains the hosts to stay on */
        PageParser(Set<String> domains) {
            this.domains = Set.copyOf(domains);
        }

        PageContent parse(String url, byte[] body) {
            Document document = Jsoup.parse(new String(body, StandardCharsets.UTF_8), url);
            List<String> links = links(document, url);
            return new PageContent(url, links, Json.bytes(
                    Map.of("url", url, "title", document.title(), "text", document.body().text(), "links", links)));
        }

        private List<String> links(Document document, String url) {
            BaseUrl base = BaseUrl.of((NormalUrl) UrlNormalizer.normalize(url));
            List<String> links = new ArrayList<>();
            for (Element anchor : document.select("a[href]")) {
                if (admission.reference(base, anchor.attr("href"), 0, EVERYWHERE)
                        .verdict(domains) instanceof Admitted admitted) {
                    links.add(admitted.url());
                }
            }
            return links;
        }
    }
}
