package io.trawl.standalone.init;

import io.trawl.admission.Candidate;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.probe.Preview.PreviewAnswer;
import io.trawl.coordinator.text.Figures;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.settings.Settings;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.init.SiteSurvey.Site;
import io.trawl.standalone.local.LocalCrawl;
import io.trawl.standalone.local.LocalOptions;
import io.trawl.standalone.local.LocalPreviewer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a crawl file for a site that was looked at, and tries it on its pages. Used by one thread. */
record CrawlProposal(LocalPreviewer previewer, Settings settings) {
    private static final int TRIED = 5;

    /** No page for now: the same command may get one later. */
    static final class SiteUnavailableException extends RuntimeException {
        SiteUnavailableException(String message) {
            super(message);
        }
    }

    /**
     * The file.
     *
     * @throws UserMistakeException if the first page of the site is none of HTML
     * @throws SiteUnavailableException if there is none now
     */
    String of(Site site) throws InterruptedException {
        if (site.pages().getFirst().document().isEmpty()) {
            PreviewAnswer first = site.pages().getFirst().preview().response();
            String why = site.start() + " is no page in HTML that can be looked at: "
                    + first.failure().or(() -> first.redirect().map("it leads to "::concat)).or(first::contentType)
                            .orElse("it has no Content-Type");
            boolean later = first.outcome() == OutcomeKind.FAILURE
                    || first.status().filter(status -> status >= 500 || status == 429).isPresent();
            throw later ? new SiteUnavailableException(why) : new UserMistakeException(why);
        }
        List<ItemProposal> rules = rules(site);
        boolean feeds = site.pages().stream().anyMatch(page -> page.facts("document").containsKey("feeds"));
        String file = "# yaml-language-server: $schema=http://127.0.0.1:8080/crawl.schema.json\n# A proposal, made of "
                + Figures.count(site.pages().size(), "page")
                + " of this site. All fields are in docs/crawl-file.md.\nseeds: [" + ItemProposal.quoted(site.start())
                + "]\n" + scope(site)
                + "limits: {depth: -1, maxPages: 1000}  # as many links away as there are; a first run ends early\n"
                + "fetch: {delay: 1s}  # robots.txt is obeyed, and may ask for more\n" + discover(site, feeds)
                + extract(rules);
        return file + tried(file, site) + missing(site, feeds, rules);
    }

    private static String scope(Site site) {
        return site.folder().equals("/")
                ? ""
                : "scope:\n  include: [" + ItemProposal.quoted(site.folder() + "**")
                        + "]  # the folder of the first page\n";
    }

    private static String discover(Site site, boolean feeds) {
        List<String> sources = Stream
                .of(site.sitemap().map(url -> "from: both"), Optional.of("feeds: true").filter(_ -> feeds))
                .flatMap(Optional::stream).toList();
        return sources.isEmpty()
                ? ""
                : "discover: {" + String.join(", ", sources) + "}" + site.sitemap().map(url -> "  # " + url).orElse("")
                        + "\n";
    }

    /** What is said in markup first; then what comes again and again; then pages of one shape. */
    private static List<ItemProposal> rules(Site site) {
        PageRecords records = new PageRecords(site);
        RepeatedBlocks blocks = new RepeatedBlocks(site.pages());
        Set<String> template = records.common();
        List<ItemProposal> ofTemplate = template.size() >= 3 ? records.pages().stream().toList() : List.of();
        return Stream
                .<List<ItemProposal>>of(records.linkedData().stream().toList(), blocks.microdata(), ofTemplate,
                        blocks.anchored(template), blocks.listed(), records.pages().stream().toList())
                .filter(found -> !found.isEmpty()).findFirst().orElse(List.of());
    }

    private static String extract(List<ItemProposal> rules) {
        return rules.isEmpty()
                ? ""
                : "extract:\n  items:  # leave out what you do not need\n"
                        + rules.stream().map(ItemProposal::yaml).collect(Collectors.joining());
    }

    /** How many items each of some pages gives. */
    private String tried(String file, Site site) throws InterruptedException {
        CrawlDefinition definition = WrittenDefinition
                .read(DefinitionText.yaml(file.getBytes(StandardCharsets.UTF_8)), CrawlVariables.ofProcess())
                .definition();
        StringBuilder lines = new StringBuilder("# Tried as ./trawl preview does:\n");
        List<SurveyedPage> last = site.pages().subList(Math.max(0, site.pages().size() - TRIED), site.pages().size());
        for (SurveyedPage page : last) {
            Candidate.Open target = LocalOptions.target(page.url(), settings);
            Preview preview = previewer.preview(target, page.response(),
                    new LocalCrawl(new CrawlRun(new CrawlId("proposal"), 1), definition, Set.of(target.domain())));
            Map<String, Long> items = preview.items().stream()
                    .collect(Collectors.groupingBy(item -> String.valueOf(item.fields().getOrDefault("type", "page")),
                            TreeMap::new, Collectors.counting()));
            lines.append("#   ").append(page.url()).append(": ")
                    .append(items.isEmpty()
                            ? "no item"
                            : items.entrySet().stream().map(type -> type.getValue() + " " + type.getKey())
                                    .collect(Collectors.joining(", ")))
                    .append('\n');
            preview.errors().stream().limit(1)
                    .forEach(error -> lines.append("#     ").append(TerminalText.safe(error)).append('\n'));
        }
        return lines.toString();
    }

    private static String missing(Site site, boolean feeds, List<ItemProposal> rules) {
        List<String> missing = new ArrayList<>();
        if (site.pages().size() == 1) {
            missing.add("links (if scripts make them, fetch: browser runs these)");
        }
        if (site.sitemap().isEmpty()) {
            missing.add("a sitemap");
        }
        if (!feeds) {
            missing.add("feeds");
        }
        if (rules.stream().noneMatch(rule -> rule.why().startsWith("JSON-LD"))) {
            missing.add("JSON-LD");
            if (rules.stream().noneMatch(rule -> rule.why().startsWith("microdata"))) {
                missing.add("microdata");
            }
        }
        if (rules.isEmpty()) {
            missing.add("anything that comes again and again: each page is an item");
        }
        return missing.isEmpty() ? "" : "# Not found: " + String.join(", ", missing) + ".\n";
    }
}
