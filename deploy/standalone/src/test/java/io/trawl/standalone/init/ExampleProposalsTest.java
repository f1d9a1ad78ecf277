package io.trawl.standalone.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.admission.Candidate;
import io.trawl.api.Item;
import io.trawl.coordinator.probe.Preview;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.model.CrawlRun;
import io.trawl.model.Response;
import io.trawl.settings.Settings;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.standalone.e2e.DebianExamples;
import io.trawl.standalone.local.LocalCrawl;
import io.trawl.standalone.local.LocalOptions;
import io.trawl.standalone.local.LocalPreviewer;
import io.trawl.testkit.ManualTime;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is proposed for the sites of docs/examples/crawls, against the files that are kept for them. Pages are walked,
 * analyzed and processed as a crawl does, without servers.
 */
class ExampleProposalsTest {
    private static final ManualTime TIME = ManualTime.flowing();
    private final Settings settings = LocalOptions.settings(List.of("127.0.0.0/8"));
    private final Map<String, Response> fetched = new HashMap<>();
    @TempDir
    private Path folder;

    /** The items of a crawl file. */
    private List<Item> items(LocalPreviewer previewer, Path file) throws Exception {
        CrawlFile checked = CrawlFile.checked(file);
        Deque<String> open = new ArrayDeque<>();
        checked.definition().seeds().forEach(seed -> open.add(seed.url().orElseThrow()));
        Set<String> known = new HashSet<>(open);
        List<Item> items = new ArrayList<>();
        for (String url = open.poll(); url != null; url = open.poll()) {
            Candidate.Open target = LocalOptions.target(url, settings);
            LocalCrawl crawl = new LocalCrawl(new CrawlRun(checked.crawl(), 1), checked.definition(),
                    checked.domains());
            Response response = fetched.get(url);
            if (response == null) {
                response = previewer.fetch(crawl.request(target, Optional.empty()), crawl);
                fetched.put(url, response);
            }
            Preview preview = previewer.preview(target, response, crawl);
            preview.items().stream().filter(item -> item.fields().containsKey("type")).forEach(items::add);
            preview.links().stream().filter(link -> link.verdict().equals(LinkVerdict.ADMITTED)).map(LinkVerdict::url)
                    .filter(known::add).forEach(open::add);
        }
        return items;
    }

    private static Stream<String> texts(Object value) {
        return switch (value) {
            case Collection<?> list -> list.stream().flatMap(ExampleProposalsTest::texts);
            default -> Stream.of(value.toString());
        };
    }

    /** How many of the kept items one of the others has: of the same page, with the text of the key in a field. */
    private static long found(List<Item> kept, String key, List<Item> proposed) {
        Map<String, List<Item>> open = proposed.stream()
                .collect(Collectors.groupingBy(Item::url, Collectors.toCollection(ArrayList::new)));
        return kept.stream().filter(item -> {
            List<String> wanted = texts(item.fields().getOrDefault(key, "")).toList();
            List<Item> ofPage = open.getOrDefault(item.url(), new ArrayList<>());
            Optional<Item> has = ofPage.stream().filter(other -> wanted.stream().allMatch(text -> other.fields()
                    .values().stream().flatMap(ExampleProposalsTest::texts).anyMatch(value -> value.contains(text))))
                    .findFirst();
            has.ifPresent(ofPage::remove);
            return has.isPresent();
        }).count();
    }

    @ParameterizedTest
    @CsvSource({"debian-faq, debian/FAQ/index.en.html, anchor, section",
            "debian-policy, debian-policy/policy.html/index.html, title, section",
            "git-commands, git-doc/git.html, name, git-doc",
            "sqlite-functions, sqlite3/c3ref/funclist.html, names, c3ref",
            "python-functions, python3.11-doc/html/library/index.html, name, function"})
    void aTypeOfTheProposalHasNearlyAllItemsOfTheFileThatIsKept(String name, String first, String key, String type)
            throws Exception {
        // Builds have the packages of the first two; docs/examples/crawls/README.md has the figures of all.
        assumeTrue(name.startsWith("debian-") || DebianExamples.has(first), () -> first + " is missing");
        try (DebianExamples examples = new DebianExamples(first);
                LocalPreviewer previewer = new LocalPreviewer(settings, TIME)) {
            Path kept = examples.file(name, folder);
            String url = CrawlFile.checked(kept).definition().seeds().getFirst().url().orElseThrow();
            Path proposed = Files.writeString(folder.resolve("proposed.yaml"), new CrawlProposal(previewer, settings)
                    .of(new SiteSurvey(previewer, settings, new PrintWriter(Writer.nullWriter())).of(url)));
            List<Item> expected = items(previewer, kept);
            Map<String, List<Item>> found = items(previewer, proposed).stream().collect(Collectors.groupingBy(
                    item -> String.valueOf(item.fields().get("type")), LinkedHashMap::new, Collectors.toList()));
            Map<String, String> shares = found.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
                    items -> found(expected, key, items.getValue()) + " with " + items.getValue().size()));
            assertThat(found(expected, key, found.getOrDefault(type, List.of()))).as(shares + " of " + expected.size())
                    .isGreaterThanOrEqualTo(9L * expected.size() / 10).isPositive();
        }
    }
}
