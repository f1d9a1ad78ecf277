package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.downloader.replay.ArchiveFolder;
import io.trawl.downloader.replay.ArchiveIndex;
import io.trawl.embedded.EmbeddedServers;
import io.trawl.standalone.e2e.ChangingSite.SiteKind;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.Output;
import io.trawl.testkit.RandomSeed;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;

/**
 * A site that changes from day to day, and {@code crawl --refresh} as processes that are killed: what is stored is
 * exactly what has changed. The seed of the random moments and changes is printed and can be set:
 * {@code -Dtrawl.seed=N}.
 */
class RefreshRunIT {
    private static final int PAGES = 100;
    private static final SiteKind SITE = new SiteKind(PAGES, 9, 0.14, 0.04, 3);
    private static final int DAYS = Integer.getInteger("days", 1);
    private static final int KILLS = Integer.getInteger("kills", 1);
    private static final String HOME = ChangingSite.HOME;
    @TempDir
    private Path folder;
    private final Random random = new Random(RandomSeed.value());
    /** By URL and date, the digests of the bodies that the archives of the days before hold. */
    private final Map<String, String> held = new HashMap<>();
    private Process run(Processes processes, Path file) {
        return run(processes, file, Map.of());
    }

    private Process run(Processes processes, Path file, Map<String, String> environment) {
        return processes.start("deploy/standalone", environment, "crawl", "--file", file.toString(), "--refresh",
                "--allow-network", "127.0.0.0/8", "--quiet", "--out", folder.resolve("pages").toString(), "--data",
                folder.resolve("data").toString());
    }

    @Test
    void eachDayStoresWhatHasChangedOnceWhateverIsKilled() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(2)) {
            FakeHost host = web.host(0);
            ChangingSite site = new ChangingSite(host, SITE, random);
            site.serve();
            web.host(1).page(HOME, page("other", 0, 0));
            Path file = Files.writeString(folder.resolve("site.yaml"), """
                    seeds: ["%s", "%s"]
                    fetch: {delay: 5ms}
                    sinks: [{type: jsonl}, {type: warc}]
                    refresh: {events: true, unchanged: true}
                    """.formatted(host.url(HOME), web.host(1).url(HOME)));
            ends(run(processes, file), processes);
            assertThat(output(1).pages()).hasSize(PAGES + 2);
            List<String> told = new ArrayList<>();
            for (int day = 2; day <= DAYS + 1; day++) {
                Map<String, String> expected = site.nextDay();
                CountDownLatch killed = new CountDownLatch(1);
                site.serve();
                // Until it has an answer the run does not end.
                web.host(1).route(HOME, Behaviours.slow(killed, Behaviours.page(page("other", 0, 0))));
                int before = web.visits().size();
                for (int kill = 0; kill < KILLS; kill++) {
                    Process process = run(processes, file);
                    int visits = web.visits().size() + 1 + random.nextInt(PAGES / 2 / KILLS);
                    Awaitility.await().until(() -> web.visits().size() >= visits || !process.isAlive());
                    process.destroyForcibly().waitFor();
                }
                killed.countDown();
                Process last = run(processes, file);
                ends(last, processes);
                assertThat(changes(day, host)).as("day %d", day).isEqualTo(expected);
                assertThat(counts(day)).as("day %d", day).isEqualTo(ChangingSite.counted(expected));
                assertArchived(day, site.same().stream().map(host::url), web.host(1).url(HOME));
                int epoch = day;
                expected.forEach((path, change) -> told.add(epoch + " " + host.url(path) + " " + change));
                assertThat(web.visits().size() - before).as("requests").isGreaterThanOrEqualTo(PAGES);
                assertThat(processes.lastLines(last, 5)).contains("since run " + (day - 1) + ": ");
            }
            told.removeIf(line -> line.endsWith(" 404") || line.endsWith(ChangingSite.UNCHANGED));
            assertThat(events()).as("events").containsExactlyInAnyOrderElementsOf(told);
        }
    }

    @Test
    void aPageWithAShorterWayIsFollowedFromThereInTheNextRefreshThoughItHasNotChanged() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.route("/a", Behaviours.tagged(page("a", 0, 0) + "<a href='/b'>b</a>"));
            host.route("/b", Behaviours.tagged(page("b", 0, 0) + "<a href='/c'>c</a>"));
            host.route("/c", Behaviours.tagged(page("c", 0, 0)));
            Path file = Files.writeString(folder.resolve("site.yaml"), """
                    seeds: ["%s"]
                    fetch: {delay: 5ms}
                    limits: {depth: 2}
                    """.formatted(host.url(HOME)));
            List<Set<String>> stored = new ArrayList<>();
            for (String link : List.of("/a", "/b", "/b")) {
                host.route(HOME, Behaviours.tagged(page("home", 0, 0) + "<nav><a href='" + link + "'>a</a></nav>"));
                ends(run(processes, file), processes);
                stored.add(changes(stored.size() + 1, host).keySet());
            }
            assertThat(stored).containsExactly(Set.of(HOME, "/a", "/b"), Set.of(), Set.of("/c"));
        }
    }

    /** A parser that tells its edition. */
    public static final class First implements ResponseParser {
        @Override
        public String name() {
            return "edition";
        }

        @Override
        public boolean handles(Page page) {
            return true;
        }

        @Override
        public Parsed parse(Page page) {
            return Parsed.fields(Map.of("edition", "first"));
        }
    }

    /** Its next edition. */
    public static final class Revised implements ResponseParser {
        @Override
        public String name() {
            return "edition";
        }

        @Override
        public boolean handles(Page page) {
            return true;
        }

        @Override
        public Parsed parse(Page page) {
            return Parsed.fields(Map.of("edition", "revised"));
        }
    }

    @Test
    @Tag("nightly")
    void aChangedPlugInReadsAllPagesAgainThoughTheyHaveNotChanged() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.route(HOME, Behaviours.tagged(page("home", 0, 0) + "<nav><a href='/a'>a</a></nav>"));
            host.route("/a", Behaviours.tagged(page("a", 0, 0)));
            Path file = Files.writeString(folder.resolve("site.yaml"), """
                    seeds: ["%s"]
                    fetch: {delay: 5ms}
                    refresh: {compare: [title, text, edition]}
                    """.formatted(host.url(HOME)));
            List<Set<String>> stored = new ArrayList<>();
            for (Class<?> parser : List.of(First.class, First.class, Revised.class, Revised.class)) {
                Path plugins = PluginJar.write(folder.resolve("plugins"), Map.of(ResponseParser.class, parser));
                ends(run(processes, file, Map.of("TRAWL_PLUGINS", plugins.toString())), processes);
                stored.add(output(stored.size() + 1).pages().values().stream()
                        .map(item -> item.path("title").asText() + " " + item.path("edition").asText())
                        .collect(Collectors.toSet()));
            }
            assertThat(stored).containsExactly(Set.of("home first", "a first"), Set.of(),
                    Set.of("home revised", "a revised"), Set.of());
        }
    }

    @Test
    void aPageIsComparedWithThoseThatHaveNotChangedAndNeverWithItsOwnEarlierVisits() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.route(HOME, Behaviours.tagged(
                    page("home", 0, 0) + "<nav><a href='/a'>a</a> <a href='/b'>b</a> <a href='/c'>c</a></nav>"));
            Path file = Files.writeString(folder.resolve("site.yaml"), """
                    seeds: ["%s"]
                    fetch: {delay: 5ms}
                    process: {processors: [{similar: text}, {unique: [text]}]}
                    """.formatted(host.url(HOME)));
            List<Map<String, JsonNode>> stored = new ArrayList<>();
            // The page b becomes a copy of a, which then changes; c resembles both, and what it was itself.
            for (List<String> today : List.of(List.of("x0", "y0", "z0"), List.of("x0", "x0", "x1"),
                    List.of("x0", "x0", "x2"), List.of("w0", "x0", "x2"), List.of("w0", "x0", "x2"))) {
                for (int i = 0; i < today.size(); i++) {
                    host.route("/" + "abc".charAt(i), Behaviours.tagged(numbered(today.get(i))));
                }
                ends(run(processes, file), processes);
                stored.add(output(stored.size() + 1).pages());
            }
            assertThat(stored).extracting(Map::keySet).containsExactly(
                    Set.of(host.url(HOME), host.url("/a"), host.url("/b"), host.url("/c")), Set.of(host.url("/c")),
                    Set.of(host.url("/c")), Set.of(host.url("/a")), Set.of(host.url("/b")));
            List<String> similar = stored.stream().skip(1).map(day -> day.values().iterator().next())
                    .map(item -> item.path("similarTo").asText()).toList();
            String first = stored.getFirst().getOrDefault(host.url("/a"), NullNode.instance).path("id").asText();
            String third = stored.get(2).getOrDefault(host.url("/c"), NullNode.instance).path("id").asText();
            assertThat(similar).containsExactly(first, first, "", third);
            assertThat(stored.getLast().values().iterator().next().path("change").asText()).isEqualTo("new");
        }
    }

    private static String numbered(String name) {
        return page(name.substring(0, 1), 0, Integer.parseInt(name.substring(1)));
    }

    /** What the topic of events holds in the end. */
    private List<String> events() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(folder.resolve("data/crawls/site"))) {
            return SinkOutputs.records(servers.kafka().bootstrapServers(), "trawl.changes").stream()
                    .map(record -> Codec.change(record.value()))
                    .map(event -> event.epoch() + " " + event.url() + " " + event.told().get("change")).toList();
        }
    }

    /** How many of each change a manifest counts, beside what has not changed. */
    private Map<String, Long> counts(int epoch) throws IOException {
        JsonNode changes = Json.mapper()
                .readTree(folder.resolve("pages/items/site-" + epoch + "/_manifest.json").toFile()).path("changes");
        Map<String, Long> counts = new TreeMap<>();
        changes.fieldNames().forEachRemaining(change -> counts.put(change, changes.path(change).asLong()));
        counts.keySet().removeAll(List.of("since", "unchanged"));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    private static String page(String name, int version, int touches) {
        return ChangingSite.page(name, SITE.sentences(), version, touches);
    }

    private Output output(int epoch) {
        return new Output(folder.resolve("pages"), "site-" + epoch);
    }

    /** What a run has stored, by path; fails if something is there twice. */
    private Map<String, String> changes(int epoch, FakeHost host) {
        Map<String, String> changes = new TreeMap<>();
        for (Map<String, JsonNode> lines : List.of(output(epoch).pages(), output(epoch).errors())) {
            lines.forEach((url, line) -> changes.put(url.substring(host.url("").length()),
                    line.path("change").asText(line.path("status").asText())));
        }
        return changes;
    }

    /** A body that the archive of an earlier day holds is a revisit of that record, any other one a response. */
    private void assertArchived(int day, Stream<String> same, String untagged) throws IOException {
        archived(day - 1, record -> {
            if (record instanceof WarcResponse response) {
                held.put(response.target() + " " + response.date(), digest(response));
            }
        });
        Map<String, URI> revisits = new TreeMap<>();
        Set<String> whole = new TreeSet<>();
        archived(day, record -> {
            if (record instanceof WarcRevisit revisit && revisit.refersTo().isEmpty()) {
                revisits.put(revisit.target(), revisit.profile());
                assertThat(held).as(revisit.target()).containsEntry(
                        revisit.refersToTargetURI().orElseThrow() + " " + revisit.refersToDate().orElseThrow(),
                        digest(revisit));
            } else if (record instanceof WarcResponse response) {
                whole.add(response.target());
            }
        });
        Set<String> expected = same.collect(Collectors.toCollection(TreeSet::new));
        expected.add(untagged);
        assertThat(revisits.keySet()).as("revisits of day %d", day).isEqualTo(expected);
        assertThat(whole).as("responses of day %d", day).isNotEmpty().doesNotContainAnyElementsOf(expected);
        assertThat(revisits).containsEntry(untagged, WarcRevisit.IDENTICAL_PAYLOAD_DIGEST_1_1)
                .containsValue(WarcRevisit.SERVER_NOT_MODIFIED_1_1);
        assertThat(unresolved("")).as("revisits without a body in any archive").isZero();
        assertThat(unresolved("site-" + day)).as("and without the archives of the days before").isPositive();
    }

    /** How many records a replay of these archives leaves out. */
    private long unresolved(String run) throws IOException {
        ArchiveIndex index = new ArchiveIndex();
        for (Path file : ArchiveFolder.files(folder.resolve("pages/archive").resolve(run))) {
            index.read(file, _ -> {
                // Only its size counts.
            });
        }
        index.resolve(_ -> {
            // As above.
        });
        assertThat(index.size()).isPositive();
        return index.skipped();
    }

    private static String digest(WarcRecord record) {
        return record.headers().first("WARC-Payload-Digest").orElseThrow();
    }

    private void archived(int epoch, Consumer<WarcRecord> records) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("pages/archive/site-" + epoch))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".warc.gz")).toList()) {
                try (WarcReader reader = new WarcReader(file)) {
                    for (WarcRecord record : reader) {
                        records.accept(record);
                    }
                }
            }
        }
    }

    private static void ends(Process process, Processes processes) throws InterruptedException {
        assertThat(process.waitFor(TestTimeouts.LIMIT)).as(processes.printed()).isTrue();
        assertThat(process.exitValue()).as(processes.printed()).isZero();
    }
}
