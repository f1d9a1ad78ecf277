package io.trawl.standalone.init;

import io.trawl.admission.Candidate;
import io.trawl.analyzer.extract.PageSelectors;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.settings.Settings;
import io.trawl.standalone.local.LocalCrawl;
import io.trawl.standalone.local.LocalOptions;
import io.trawl.standalone.local.LocalPreviewer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Looks at a site: its robots.txt, a sitemap, the first page, and pages that it leads to, {@value #MOST_PAGES} in all,
 * of the kinds of URLs of which there are most. Obeys robots.txt and the usual pause of a crawl, and says each request.
 * Used by one thread.
 */
final class SiteSurvey {
    static final int MOST_PAGES = 8;
    private static final int MOST_REQUESTS = 12;
    private static final int MOST_REDIRECTS = 3;
    private static final CrawlDefinition RULES = rules();
    private final LocalPreviewer previewer;
    private final Settings settings;
    private final PrintWriter progress;
    private final List<SurveyedPage> pages = new ArrayList<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private int requests;

    /** @param progress where each request is said */
    SiteSurvey(LocalPreviewer previewer, Settings settings, PrintWriter progress) {
        this.previewer = previewer;
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * What was seen.
     *
     * @param start the URL of the first page
     * @param pages those that were fetched, the first page first; empty: it is none
     * @param sitemap the URL of a sitemap with links
     */
    record Site(String start, List<SurveyedPage> pages, Optional<String> sitemap) {
        /** The path of the folder that the first page is in, with a slash at its end. */
        String folder() {
            String path = path(start);
            return path.substring(0, path.lastIndexOf('/') + 1);
        }

        /** The pattern of URLs like this one: with any name of a file, and any folder below that of the first page. */
        String shape(String url) {
            String path = path(url);
            String name = path.substring(path.lastIndexOf('/') + 1);
            String ending = name.contains(".") ? name.substring(name.lastIndexOf('.')) : "";
            String below = path.substring(folder().length(), path.length() - name.length())
                    .replaceAll("[^/]*[0-9][^/]*", "*");
            return folder() + (name.isEmpty() ? below.replaceFirst("[^/]+/$", "*/") : below + "*" + ending);
        }
    }

    private static CrawlDefinition rules() {
        try (InputStream survey = SiteSurvey.class.getResourceAsStream("survey.yaml")) {
            if (survey == null) {
                throw new IllegalStateException("the rules of the survey are not on the class path");
            }
            return WrittenDefinition.read(DefinitionText.yaml(survey.readAllBytes()), CrawlVariables.ofProcess())
                    .definition();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The sources of the fields of a rule of the survey, by their names, as YAML in flow style. */
    static Map<String, String> sources(String type) {
        Map<String, String> sources = new LinkedHashMap<>();
        RULES.extract().items().stream().filter(rule -> rule.type().equals(Optional.of(type)))
                .forEach(rule -> rule.fields().forEach((name, field) -> sources.put(name, Json.text(field))));
        return sources;
    }

    /** Scheme, host and port of a URL in normal form. */
    private static String server(String url) {
        return url.substring(0, url.indexOf('/', url.indexOf("://") + 3));
    }

    private static String path(String url) {
        return url.substring(server(url).length()).replaceFirst("[?#].*", "");
    }

    private static List<String> admitted(SurveyedPage page) {
        return page.preview().links().stream().filter(link -> link.verdict().equals(LinkVerdict.ADMITTED))
                .filter(link -> !link.nofollow()).map(LinkVerdict::url).toList();
    }

    /** Looks at the site of a URL. */
    Site of(String url) throws InterruptedException {
        SurveyedPage first = fetch(url, UnaryOperator.identity());
        for (int i = 0; i < MOST_REDIRECTS && first.preview().response().outcome() == OutcomeKind.REDIRECT
                && !admitted(first).isEmpty(); i++) {
            first = fetch(admitted(first).getFirst(), UnaryOperator.identity());
        }
        Site site = new Site(first.url(), List.of(first), Optional.empty());
        if (first.document().isEmpty()) {
            return site;
        }
        pages.add(first);
        addLinks(first, site);
        Optional<String> sitemap = sitemap(site);
        for (Optional<String> next = next(site); pages.size() < MOST_PAGES && requests < MOST_REQUESTS
                && asked.size() < 4 * MOST_REQUESTS && next.isPresent(); next = next(site)) {
            SurveyedPage page = fetch(next.get(), UnaryOperator.identity());
            if (page.document().isPresent()) {
                pages.add(page);
                addLinks(page, site);
            }
        }
        return new Site(first.url(), List.copyOf(pages), sitemap);
    }

    /** Reads the first sitemap that robots.txt names, or the usual one, and of an index its first one. */
    private Optional<String> sitemap(Site site) throws InterruptedException {
        List<String> named = admitted(source(server(site.start()) + "/robots.txt", FetchOptions.ROBOTS));
        String url = named.isEmpty() ? server(site.start()) + RobotsSitemaps.USUAL : named.getFirst();
        SurveyedPage sitemap = source(url, FetchOptions.SITEMAP);
        List<String> links = admitted(sitemap);
        if (!links.isEmpty() && links.stream().allMatch(link -> link.matches(".*\\.xml(\\.gz)?"))) {
            sitemap = source(links.getFirst(), FetchOptions.SITEMAP);
        }
        addLinks(sitemap, site);
        return links.isEmpty() ? Optional.empty() : Optional.of(url);
    }

    private SurveyedPage source(String url, String parser) throws InterruptedException {
        return fetch(url, request -> request.withOptions(FetchOptions.ofSource(parser)));
    }

    private SurveyedPage fetch(String url, UnaryOperator<Request> as) throws InterruptedException {
        asked.add(url);
        Candidate.Open target = LocalOptions.target(url, settings);
        LocalCrawl crawl = new LocalCrawl(new CrawlRun(new CrawlId("survey"), 1), RULES, Set.of(target.domain()));
        Response response = previewer.fetch(as.apply(crawl.request(target, Optional.empty())), crawl);
        Preview preview = previewer.preview(target, response, crawl);
        // What robots.txt forbids is not requested.
        requests += preview.response().outcome() == OutcomeKind.REFUSED ? 0 : 1;
        progress.println(TerminalText.safe(target.url() + ": " + preview.response().failure()
                .or(() -> preview.response().redirect()).orElseGet(() -> preview.response().bytes() + " bytes")));
        progress.flush();
        return new SurveyedPage(response, preview, previewer.selectors(response, crawl).map(PageSelectors::document));
    }

    private void addLinks(SurveyedPage from, Site site) {
        admitted(from).stream()
                .filter(url -> url.startsWith(server(site.start()) + site.folder()) && !url.contains("?"))
                .forEach(known::add);
    }

    /** A page of the shape of which most URLs are known, for each that was fetched; those of a shape are spread. */
    private Optional<String> next(Site site) {
        Map<String, List<String>> open = new LinkedHashMap<>();
        Map<String, Integer> done = new LinkedHashMap<>();
        known.stream().filter(url -> !asked.contains(url))
                .forEach(url -> open.computeIfAbsent(site.shape(url), _ -> new ArrayList<>()).add(url));
        asked.stream().filter(known::contains).forEach(url -> done.merge(site.shape(url), 1, Integer::sum));
        return open.entrySet().stream()
                .max(Comparator.comparingDouble(
                        shape -> shape.getValue().size() / (1.0 + done.getOrDefault(shape.getKey(), 0))))
                .map(shape -> shape.getValue().get((2 * done.getOrDefault(shape.getKey(), 0) + 1)
                        * shape.getValue().size() / (2 * MOST_PAGES) % shape.getValue().size()));
    }
}
