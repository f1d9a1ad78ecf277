package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.text.Figures;
import io.trawl.standalone.TrawlCommand;
import io.trawl.standalone.TrawlCommand.Said;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.Output;
import io.trawl.testkit.LinkGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real coordinator and one of each worker, on the shared Kafka and Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineIT {
    @TempDir
    private static Path folder;
    private final FakeWeb web = FakeWeb.start(2);
    private final LinkGraph graph = LinkGraph.serve(web, 60, 3, 5);
    private OneJvmFleet fleet;

    @BeforeAll
    void startFleet() throws InterruptedException {
        fleet = new OneJvmFleet(folder.resolve("pages")).ofAllHosts();
        await().until(() -> run("status").code() == 0 && run("modules").out().contains("P1|"));
    }

    @AfterAll
    void stopFleet() {
        fleet.close();
        web.close();
    }

    private Said run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--coordinator", fleet.address().toString()));
        return TrawlCommand.run(all.toArray(String[]::new));
    }

    private String api(String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(fleet.address().resolve(path)).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    /** A crawl without its speeds, which change from one call to the next. */
    private static JsonNode still(String crawl) {
        JsonNode json = json(crawl);
        ((ObjectNode) json).remove("rates");
        return json;
    }

    private String coordinatorMid() throws IOException, InterruptedException {
        return json(api("/api/v1/summary")).path("leader").asText();
    }

    private static JsonNode json(String text) {
        try {
            return Json.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    /** The options of a crawl of the graph, and its first URL. */
    private String[] submit(String crawl, String delay) {
        List<String> args = new ArrayList<>(List.of("submit", "--crawl", crawl, "--delay", delay, "--depth", "10"));
        graph.domains().forEach(domain -> args.addAll(List.of("--domain", domain)));
        args.add(graph.url(0));
        return args.toArray(String[]::new);
    }

    private void submitted(String crawl, String delay) {
        assertThat(run(submit(crawl, delay))).isEqualTo(new Said(0, "crawl " + crawl + "/1 is started\n", ""));
    }

    private void awaitState(String crawl, String state) {
        await().untilAsserted(() -> assertThat(run("status", crawl).out()).startsWith(crawl + "/1: " + state));
    }

    @Test
    void processesAreDrainedAndJoinAgain() throws Exception {
        for (String process : List.of("D1", "A1", "P1")) {
            assertThat(run("stop", process, "--wait").out()).contains("1 of 1 modules have drained");
            assertThat(run("modules").out()).containsPattern(process + "\\|.* holding for stop sign");
        }
        assertThat(run("stop", "C1").code()).as("no other could reset it").isEqualTo(4);
        submitted("drained", "0ms");
        for (String process : List.of("P1", "A1", "D1")) {
            assertThat(run("start", process).out()).contains("is reset");
        }
        awaitState("drained", "finished");
    }

    @Test
    void aCrawlIsSubmittedAndItsNumbersAreThoseOfTheInterface() throws Exception {
        assertThat(run(submit("whole", "0ms"))).isEqualTo(new Said(0, "crawl whole/1 is started\n", ""));
        awaitState("whole", "finished");

        JsonNode crawl = json(api("/api/v1/crawls/whole"));
        long emitted = crawl.path("totals").path("emitted").asLong();
        assertThat(emitted).isGreaterThan(30);
        assertThat(run("status", "whole").out()).contains(Figures.count(emitted) + " emitted = ",
                Figures.count(crawl.path("totals").path("pages").asLong()) + " pages");
        assertThat(run("crawls").out()).containsPattern("whole/1 +finished +" + emitted + " +" + emitted + " +100 %");
        assertThat(run("status").out()).contains("whole/1",
                "modules: 1 downloader, 1 analyzer, 1 pipeline, 1 coordinator");
    }

    @Test
    void theSummaryHasTheSameNumbersAsTheInterface() throws Exception {
        run(submit("numbers", "0ms"));
        awaitState("numbers", "finished");
        await().untilAsserted(() -> {
            String before = api("/api/v1/summary");
            String text = run("summary").out();
            JsonNode summary = json(before);
            assertThat(json(api("/api/v1/summary")).path("queue").path("popped")).as("nothing moves")
                    .isEqualTo(summary.path("queue").path("popped"));

            assertThat(text).contains(summary.path("leader").asText() + " leads")
                    .contains(summary.path("queue").path("line").asText());
            summary.path("queue").path("levels")
                    .forEach(level -> assertThat(text).containsPattern("requests p" + level.path("priority").asInt()
                            + " .*" + Figures.count(level.path("pushed").asLong()) + " +"
                            + Figures.count(level.path("popped").asLong()) + " +" + level.path("waiting").asLong()
                            + " +" + level.path("abandoned").asLong()));
            summary.path("modules").forEach(module -> assertThat(text).contains(module.path("mid").asText()));
            summary.path("crawls").forEach(crawl -> assertThat(text)
                    .contains(crawl.path("crawl").asText() + "/" + crawl.path("epoch").asText() + ": ")
                    .containsPattern(Figures.count(crawl.path("totals").path("emitted").asLong()) + " emitted = "
                            + Figures.count(crawl.path("totals").path("pages").asLong()) + " pages?"));
        });
    }

    @Test
    void scriptsGetTheJsonOfTheInterface() throws Exception {
        submitted("script", "0ms");
        awaitState("script", "finished");
        assertThat(still(run("status", "script", "--json").out())).isEqualTo(still(api("/api/v1/crawls/script")));
        assertThat(json(run("status", "--json").out()).path("leader").asText()).isEqualTo(coordinatorMid());
        assertThat(json(run("crawls", "--json").out())).isNotEmpty();
        assertThat(json(run("modules", "--json").out())).hasSize(4);
        assertThat(json(run("queue", "--json").out()).path("levels")).hasSize(3);
        assertThat(json(run("summary", "--json").out()).path("modules")).hasSize(4);
    }

    @Test
    void aCrawlIsStoppedAndResumed() {
        submitted("pausing", "200ms");
        Said stopped = run("stop", "pausing", "--wait");
        assertThat(stopped).extracting(Said::code, Said::out).containsExactly(0, "crawl pausing/1 is stopped\n");
        assertThat(run("stop", "pausing").code()).as("only a started crawl can be stopped").isEqualTo(4);
        assertThat(run("start", "pausing").out()).isEqualTo("crawl pausing/1 is started\n");
        assertThat(run("start", "pausing").code()).isEqualTo(4);
        run("stop", "pausing", "--wait");
    }

    @Test
    void waitingEndsWithTheCrawlAndItsExitCodeTellsHow() {
        submitted("awaited", "0ms");
        assertThat(run("wait", "awaited", "--timeout", "90s")).extracting(Said::code, Said::out).containsExactly(0,
                "crawl awaited/1 is finished\n");
        assertThat(run("crawls", "--ids").out().lines()).contains("awaited").doesNotHaveDuplicates();

        submitted("slow", "10s");
        assertThat(run("wait", "slow", "--timeout", "100ms")).extracting(Said::code, Said::out).containsExactly(1,
                "crawl slow/1 is started\n");
        run("stop", "slow", "--wait");
        assertThat(run("wait", "slow").code()).as("stopped by a user").isEqualTo(4);

        run("submit", "--crawl", "nothing", "--delay", "0ms", "http://127.0.0.1:1/");
        assertThat(run("wait", "nothing", "--timeout", "90s").code()).as("no seed gave a page").isEqualTo(6);
        assertThat(run("wait", "no-such-crawl").code()).isEqualTo(3);
    }

    @Test
    void everyModuleDrainsWhenTheFleetIsStopped() {
        try {
            Said signed = run("stop", "--fleet", "--wait");
            assertThat(signed.code()).isZero();
            assertThat(signed.out()).startsWith("the stop sign of the fleet is set\n")
                    .containsPattern("([0-9]) of \\1 modules have drained\n").contains("D1|", "A1|", "P1|");
            assertThat(run("status").out()).contains("stop sign of the fleet: set at ");
            assertThat(run("stop", "--fleet").out()).startsWith("the stop sign of the fleet was set before\n");
        } finally {
            assertThat(run("reset").out()).isEqualTo("the fleet's stop sign is reset\n");
        }
        assertThat(run("status").out()).contains("stop sign: none");
    }

    @Test
    void errorsAndEventsAreShownByCrawl() {
        assertThat(run("submit", "--crawl", "failing", "--delay", "0ms", "http://127.0.0.1:1/").code()).isZero();
        awaitState("failing", "finished");
        await().untilAsserted(() -> {
            assertThat(run("errors", "--crawl", "failing").out()).contains("http://127.0.0.1:1/").contains("D1|");
            assertThat(run("events", "--crawl", "failing").out()).contains("crawl.started", "crawl.finished",
                    "failing/1");
        });
        assertThat(json(run("errors", "--crawl", "failing", "--json").out())).hasSize(1);
        assertThat(run("errors", "--crawl", "another").out()).isEqualTo("no errors\n");
    }

    @Test
    void aFetcherThatADownloaderDoesNotHaveIsANoteOfItsCrawl() {
        assertThat(run("submit", "--crawl", "named", "--fetcher", "nosuch", graph.url(0)).code()).isZero();
        assertThat(run("status", "named").out())
                .contains("note: D1 has no fetcher 'nosuch', only http: its requests fail");
        awaitState("named", "finished");
    }

    @Test
    void sharedSettingsAreShownAndChangedAndFixedOnesSayWhyTheyAreNot() {
        assertThat(run("settings").out()).containsPattern("responseBacklog +20000 +TRAWL_DOWNLOADER_RESPONSE_BACKLOG\n")
                .containsPattern("levels +3  queue resize  TRAWL_TOPICS_LEVELS\n")
                .containsPattern("politenessKey +host  fixed ");
        assertThat(run("settings", "responseBacklog=7000", "capacity=99").out())
                .containsPattern("responseBacklog +7000 ");
        assertThat(run("queue").out()).containsPattern("responses .* 7,000 ").containsPattern("requests p1 .* 198 ");
        assertThat(run("settings", "capacity=10000000", "levels=4", "itemBacklgo=1", "itemBacklog=-1",
                "responseBacklog=many")).satisfies(said -> {
                    assertThat(said.code()).isEqualTo(2);
                    assertThat(said.err()).contains(
                            "levels: '4' is not valid: what it is: 'trawl queue resize --levels 4' changes it",
                            "did you mean itemBacklog?", "itemBacklog: '-1' is not valid: 0 to ",
                            "responseBacklog: 'many' is not valid: a whole number");
                });
        assertThat(run("settings", "capacity=10000000", "responseBacklog=20000").out()).contains("capacity  ");
    }

    @Test
    void countsOfPartitionsChangeAfterAPlanAndTheQueueSaysWhatThatTook() {
        assertThat(run("queue", "resize", "--partitions", "12", "--items", "6", "--plan").out()).contains(
                "items would be written to 4 -> 6 partitions",
                "would replace the request topics of generation 1: 8 -> 12 partitions, 3 levels",
                "nothing is fetched for up to");
        assertThat(run("queue", "resize", "--partitions", "8", "--levels", "3")).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err())
                    .startsWith("trawl: levels: '3' is not valid: another count than the present ones: 8 part");
        });
        assertThat(run("queue").out()).doesNotContain("instead of", "are replaced");
        assertThat(run("queue", "resize", "--partitions", "12", "--items", "6").out()).contains(
                "items are written to 4 -> 6", "replacing the request topics of generation 1",
                "trawl queue shows how far it is");
        await().untilAsserted(() -> assertThat(run("queue").out())
                .contains(" items: 6 partitions instead of 4, done after ").containsPattern(
                        "generation 1 are replaced: nothing was fetched for [0-9]+m?s, [0-9]+ requests were forwarded"));
        assertThat(json(run("queue", "--json").out()).at("/changes/0/channel").asText()).isEqualTo("requests");
    }

    @Test
    void whatWaitsIsMovedAndNothingIsSaidToWaitWhereNothingWas() {
        try (FakeWeb own = FakeWeb.start(1)) {
            run("stop", "--host", own.host(0).name());
            run("submit", "--crawl", "moving", "--delay", "0ms", own.host(0).url("/m/1"), own.host(0).url("/m/2"),
                    own.host(0).url("/m/3"));
            await().until(() -> json(api("/api/v1/crawls/moving")).at("/totals/emitted").asInt() == 3);
            assertThat(run("queue", "move", "--crawl", "moving", "--match", "/m/**", "--to", "2"))
                    .isEqualTo(new Said(0, "moved 3 of /m/** to priority 2\n", ""));
            assertThat(run("queue", "move", "--crawl", "moving", "--host", "nowhere.example", "--to", "2").out())
                    .isEqualTo("moved 0 of nowhere.example to priority 2: nothing of it waits that could be moved\n");
            run("reset", "--host", own.host(0).name());
            awaitState("moving", "finished");
        }
    }

    @Test
    void aPreviewShowsTheOutcomeOfAUrl() {
        // Another test may have replaced the request topics a moment ago.
        Said preview = await().until(() -> run("preview", graph.url(0)), said -> said.code() == 0);
        assertThat(preview.out()).startsWith(graph.url(0) + "\n").contains("would be followed", "D1|", "A1|");
        Said dead = run("preview", "http://127.0.0.1:1/");
        assertThat(dead.code()).as(dead.out()).isOne();
        assertThat(dead.out()).contains("CONNECT", "D1|");
        Said unknown = run("preview", graph.url(0), "--fetcher", "nosuch");
        assertThat(unknown.code()).as(unknown.out()).isOne();
        assertThat(unknown.out()).contains("nosuch", "D1|");
    }

    @Test
    void everyKindOfFailureHasItsExitCodeAndOneLine() {
        assertThat(run("status", "no-such-crawl")).satisfies(said -> {
            assertThat(said.code()).isEqualTo(3);
            assertThat(said.err()).startsWith("trawl: ").contains("no-such-crawl").hasLineCount(1);
        });
        assertThat(run("start", "no-such-crawl").code()).isEqualTo(3);
        assertThat(run("submit", "--crawl", "other", "--priority", "7", graph.url(0))).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).isEqualTo("trawl: priority: '7' is not valid: 0 to 2\n");
        });
        assertThat(TrawlCommand.run("status", "--coordinator", "http://127.0.0.1:1"))
                .isEqualTo(new Said(1, "", "trawl: no coordinator answers at http://127.0.0.1:1\n"));
    }

    @Test
    void aRefreshSaysHowManyPagesItWouldVisitAndBeginsNothing() throws Exception {
        assertThat(run("submit", "--crawl", "again", "--refresh", "--delay", "0ms", "--depth", "0", graph.url(0)).out())
                .isEqualTo("crawl again/1 is started\n");
        awaitState("again", "finished");
        assertThat(run("refresh", "again", "--dry-run"))
                .isEqualTo(new Said(0, "a refresh of again would visit 1 page of run 1\n", ""));
        assertThat(run("refresh", "again", "--dry-run", "--match", "/no/such/**").out())
                .isEqualTo("a refresh of again would visit 0 pages of run 1, and leave 1 for the next one\n");
        assertThat(json(run("refresh", "again", "--dry-run", "--due", "--json").out()).at("/visits/made").asInt())
                .as("without an interval it is due").isOne();
        assertThat(json(api("/api/v1/crawls/again")).path("epoch").asInt()).isOne();
    }

    @Test
    void theTemplateOfACrawlFileRunsWithAnotherSeed() throws IOException {
        Path file = folder.resolve("template.yaml");
        assertThat(TrawlCommand.run("init", file.toString()).code()).isZero();
        Files.writeString(file, Files.readString(file).replace("https://example.org/", graph.url(0))
                .replace("delay: 1s", "delay: 0ms"));
        assertThat(run("submit", "--file", file.toString(), "--depth", "0"))
                .isEqualTo(new Said(0, "crawl template/1 is started\n", ""));
        awaitState("template", "finished");
        assertThat(json(run("status", "template", "--json").out()).at("/definition/fetch/userAgent").asText())
                .isEqualTo("ExampleBot/1.0");
    }

    /** The other examples are as checked by docs/examples/crawls/run.sh. */
    @Test
    void theItemsOfTheSmallExamplesAreThoseThatAnotherProgramFinds(@TempDir Path copies) throws Exception {
        try (DebianExamples examples = new DebianExamples("debian/FAQ/index.en.html",
                "debian-policy/policy.html/index.html")) {
            for (String name : List.of("debian-faq", "debian-policy")) {
                assertThat(run("submit", "--file", examples.file(name, copies).toString()))
                        .isEqualTo(new Said(0, "crawl " + name + "/1 is started\n", ""));
            }
            for (String name : List.of("debian-faq", "debian-policy")) {
                awaitState(name, "finished");
                Path items = Files.createDirectories(copies.resolve(name).resolve("items"));
                try (Stream<Path> parts = Files.list(folder.resolve("pages").resolve("items").resolve(name + "-1"))) {
                    // The manifest may be written meanwhile, to a file that is renamed.
                    for (Path part : parts.filter(file -> file.getFileName().toString().startsWith("part-")).toList()) {
                        Files.copy(part, items.resolve(part.getFileName()));
                    }
                }
                assertThat(examples.check(name, copies.resolve(name))).contains("0 missing, 0 too many")
                        .doesNotContain(" 0 items expected");
            }
        }
    }

    @Test
    void seedsOfAFileNeedACrawlOrTheDomainsOfOne() throws IOException {
        Path seeds = Files.writeString(folder.resolve("urls.txt"), graph.url(1) + "\n");
        assertThat(run("submit", "--crawl", "unknown", "--seeds", seeds.toString())).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).contains("give a URL, or the accepted domains with --domain");
        });
        assertThat(run("submit", "--crawl", "unknown", "--seeds", folder.resolve("missing").toString()).code())
                .isEqualTo(2);
    }

    @Test
    void aListOfSeedsIsCrawledInItsDomainsAndWhatIsRefusedIsTold() throws IOException {
        List<String> urls = GraphChecks.ofEachHost(graph, 60);
        Path seeds = folder.resolve("seeds.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(seeds))) {
            out.write(("rank,url\n1," + urls.get(0) + "\n2," + urls.get(1) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(run("submit", "--crawl", "listed", "--domain", "seeds", "--delay", "0ms", "--depth", "10", "--seeds",
                seeds.toString(), "--column", "url"))
                .isEqualTo(new Said(0, "2 seeds are submitted to crawl listed, which is started\n", ""));
        awaitState("listed", "finished");
        GraphChecks.output(graph.reachable(urls, 10), new Output(folder.resolve("pages"), "listed-1"));
        assertThat(run("submit", "--crawl", "listed", "--seeds", seeds.toString(), "--column", "url"))
                .isEqualTo(new Said(0, "2 seeds are submitted to crawl listed; 2 known before\n", ""));

        Path wrong = folder.resolve("wrong.txt");
        Files.write(wrong, (graph.url(0) + "\nhttp://127.0.0.1/caf\u00e9\n# a remark\nftp://x/\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        assertThat(run("submit", "--crawl", "listed", "--seeds", wrong.toString())).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).contains("line 2: 'http://127.0.0.1/caf\\xe9' is not valid: UTF-8", "line 4.url",
                    "1 seed of the list is submitted, and nothing behind");
        });
        Path foreign = Files.writeString(folder.resolve("foreign.txt"), "https://a.example/\nhttps://b.example/\n");
        assertThat(run("submit", "--crawl", "foreign", "--domain", "example.org", "--seeds", foreign.toString()))
                .satisfies(said -> {
                    assertThat(said.code()).isEqualTo(2);
                    assertThat(said.out()).isEqualTo("2 seeds are submitted to crawl foreign; 2 refused: DOMAIN 2\n");
                    assertThat(said.err())
                            .contains("all seeds were refused: 2 refused: DOMAIN 2; crawl foreign is not started");
                });
    }

    @Test
    void anEmptyListOfSeedsIsAMistakeAndStartsNoCrawl() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.txt"), "# none\n");
        assertThat(run("submit", "--crawl", "empty", "--domain", "seeds", "--seeds", empty.toString()))
                .isEqualTo(new Said(2, "", "trawl: --seeds: the list has no seed; crawl empty is not started\n"));
        assertThat(run("start", "empty").code()).as("it was not").isZero();
        assertThat(run("submit", "--crawl", "empty", "--seeds", empty.toString()))
                .isEqualTo(new Said(2, "", "trawl: --seeds: the list has no seed\n"));
        run("stop", "empty", "--wait");
    }

    @Test
    void theUrlOfASitemapIsAListOfSeeds() {
        String listed = web.host(0).page("/listed", "<title>Listed</title>").url("/listed");
        String sitemap = web.host(0).page("/list.xml", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                + "<url><loc>" + listed + "</loc></url></urlset>").url("/list.xml");
        assertThat(run("submit", "--crawl", "mapped", "--domain", "seeds", "--delay", "0ms", "--depth", "0", "--seeds",
                sitemap)).isEqualTo(new Said(0, "1 seed is submitted to crawl mapped, which is started\n", ""));
        awaitState("mapped", "finished");
        assertThat(new Output(folder.resolve("pages"), "mapped-1").pages().keySet()).containsExactly(listed);
    }

    @Test
    void aNamespaceIsClearedUnlessAProcessUsesIt(@TempDir Path logs) throws InterruptedException {
        KafkaFixture used = fleet.fixture();
        KafkaFixture unused = new KafkaFixture();
        unused.create(unused.topics().items(), 1);
        try (Processes processes = new Processes(logs)) {
            Process refused = clear(processes, used);
            Process cleared = clear(processes, unused);
            assertThat(List.of(refused.waitFor(), cleared.waitFor())).as(processes.printed()).containsExactly(4, 0);
            assertThat(processes.printed()).contains("the namespace " + used.topics().namespace() + " is in use by ",
                    "C1|", "deleted 1 topics and ", " of the namespace " + unused.topics().namespace());
        }
        assertThat(run("status").code()).as("nothing of the other is deleted").isZero();
    }

    private static Process clear(Processes processes, KafkaFixture in) {
        return processes.start("deploy/standalone",
                Map.of("TRAWL_NAMESPACE", in.topics().namespace(), "TRAWL_REDIS_URL", in.settings().redis().url(),
                        "TRAWL_KAFKA_BOOTSTRAP_SERVERS", in.settings().kafka().bootstrapServers()),
                "namespace", "clear", "--yes");
    }
}
