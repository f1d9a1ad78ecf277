package io.trawl.standalone.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeWeb;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The views of stored items, hosts and single processes, and the forms of a crawl, in a real browser. Skipped if there
 * is none.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardViewsIT {
    /** What a person looks at after a build. */
    private static final Path SCREENSHOTS = Path.of("target/screenshots");
    @TempDir
    private static Path folder;
    private UiFleet fleet;
    private Chromium chromium;
    private FakeWeb web;

    @BeforeAll
    void crawl() throws Exception {
        chromium = Chromium.start(Chromium.demand());
        fleet = new UiFleet(folder.resolve("pages"), 1, Map.of());
        web = FakeWeb.start(2);
        web.host(0).page("/", "<title>Home</title><a href=/a>a</a><a href=/gone>gone</a>")
                .page("/a", "<title>Second page</title><p>some text").route("/gone", Behaviours.status(404));
        fleet.define("docs",
                "{\"seeds\":[{\"url\":\"%s\",\"headers\":{\"X-Key\":\"secret\"}}],\"fetch\":{\"delay\":\"0ms\"},\"schedule\":{\"cron\":\"0 3 1 1 *\"}}"
                        .formatted(web.host(0).url("/")));
        refresh();
        try (Tab page = open(1400, "#/crawl/docs")) {
            page.until("document.querySelector('.crawl-head .pill')?.textContent === 'finished'");
        }
    }

    /** Two runs of a crawl, between which its page changes. */
    private void refresh() throws Exception {
        web.host(0).page("/fresh", "<title>Fresh</title><p>The old way");
        fleet.define("fresh",
                "{\"seeds\":[\"%s\"],\"limits\":{\"depth\":0},\"fetch\":{\"delay\":\"0ms\"},\"refresh\":{\"least\":\"1h\"}}"
                        .formatted(web.host(0).url("/fresh")));
        await().until(() -> fleet.get("api/v1/crawls/fresh").has("end"));
        web.host(0).page("/fresh", "<title>Fresh</title><p>The new way");
        fleet.send(HttpRequest.newBuilder(fleet.dashboard().resolve("api/v1/crawls/fresh/refresh"))
                .POST(HttpRequest.BodyPublishers.noBody()).build());
        await().until(() -> fleet.get("api/v1/crawls/fresh").path("epoch").asInt() == 2
                && fleet.get("api/v1/crawls/fresh").has("end"));
    }

    @AfterAll
    void stop() {
        if (chromium != null) {
            chromium.close();
        }
        if (fleet != null) {
            fleet.close();
        }
        if (web != null) {
            web.close();
        }
    }

    private Tab open(int width, String view) {
        Tab page = chromium.open(width, 900);
        page.prefer(false);
        page.go(fleet.dashboard().resolve(view));
        page.until("document.querySelector('#fleet-state').textContent.match(/ready|crawling/)");
        return page;
    }

    /** A page without the frame of the dashboard. */
    private Tab plain(int width, String path) {
        Tab page = chromium.open(width, 900);
        page.prefer(false);
        page.go(fleet.dashboard().resolve(path));
        return page;
    }

    private String module() throws Exception {
        return "#/module/"
                + URLEncoder.encode(fleet.get("api/v1/modules").get(0).path("mid").asText(), StandardCharsets.UTF_8);
    }

    @Test
    void anItemIsFoundByItsUrlAndShownInFull() {
        try (Tab page = open(1400, "#/crawl/docs")) {
            page.click("a[href='#/crawl/docs/items']");
            page.until("document.querySelectorAll('.items tbody tr').length === 3");
            assertThat(page.text(".items")).as("the referrer").contains(web.host(0).url("/"), "a seed", "404");
            page.type("#items-url", "/a");
            page.press("Enter");
            page.until("document.querySelectorAll('.items tbody tr').length === 1");
            page.click(".items tbody a");
            page.until("document.querySelector('#main').innerText.includes('some text')");
            assertThat(page.text("#main")).contains("Second page", "fetchedAt");
            assertThat(page.troubles()).isEmpty();
        }
    }

    @Test
    void hostsAreListedAndFiltered() {
        try (Tab page = open(1400, "#/hosts")) {
            page.until("document.querySelectorAll('.hosts tbody tr').length > 0");
            assertThat(page.text(".hosts tbody")).contains("127.0.0.1:");
            page.click(".hosts th:first-child .sort");
            page.until("document.querySelector('.hosts [aria-sort]').innerText.includes('Host')");
            page.type("#hosts-part", "nowhere.example");
            page.until("document.querySelectorAll('.hosts tbody tr').length === 0");
            assertThat(page.troubles()).isEmpty();
        }
    }

    @Test
    void whatWaitsIsMovedByPatternAndTheOrderShowsHowFarItIs() throws Exception {
        // A host of its own: no other crawl waits for its delay.
        String url = web.host(1).url("/later/");
        fleet.define("later",
                "{\"seeds\":[\"%s1\",\"%s2\",\"%s3\"],\"fetch\":{\"delay\":\"1m\",\"ignoreRobots\":[\"%s\"]}}"
                        .formatted(url, url, url, URI.create(url).getHost()));
        fleet.sleeper(true);
        try (Tab page = open(1400, "#/hosts")) {
            await().until(() -> fleet.get("api/v1/crawls/later").at("/totals/emitted").asInt() == 3
                    && fleet.get("api/v1/crawls/later").at("/totals/waiting").asInt() == 2);
            page.until("document.querySelector('#hosts-crawl option[value=later]')");
            choose(page, "#hosts-crawl", "later");
            page.until("document.querySelector('.moves').checkVisibility()");
            choose(page, "#move-by", "match");
            page.type("#move-what", "/later/**");
            choose(page, "#move-to", "2");
            page.click(".card form [type=submit]");
            page.until("document.querySelector('#confirm').open");
            page.click("#confirm [value=yes]");
            String order = "document.querySelector('.moves li')?.innerText";
            page.until(order + "?.includes('moved 2 of /later/** to priority 2 so far')");
            fleet.sleeper(false);
            page.until(order + "?.endsWith('moved 2 of /later/** to priority 2')");
            assertThat(fleet.get("api/v1/crawls/later").at("/waitingByPriority/2").asInt()).isEqualTo(2);
            assertThat(page.troubles()).isEmpty();
        } finally {
            fleet.sleeper(false);
        }
    }

    private static void choose(Tab page, String select, String value) {
        page.value(
                "(() => { const it = document.querySelector('%s'); it.value = '%s'; it.dispatchEvent(new Event('change', {bubbles: true})); })()"
                        .formatted(select, value));
    }

    @Test
    void aProcessShowsItsStateMemoryVersionAndLog() throws Exception {
        try (Tab page = open(1400, module())) {
            page.until("document.querySelector('.about').innerText.includes('heap')");
            page.until("document.querySelector('#main').innerText.match(/Log lines|No log lines|Level/)");
            assertThat(page.text(".about")).contains("Trawl ", "Java ", "running for");
            assertThat(page.troubles()).isEmpty();
        }
    }

    @Test
    void theDelayIsChangedWithoutRepeatingSeedsOrSecrets() throws Exception {
        try (Tab page = open(1400, "#/crawl/docs")) {
            page.until("document.querySelector('.crawl-head .sub').innerText.includes('next run')");
            page.click("[data-do='edit']");
            page.until("document.querySelector('#new-crawl').open");
            page.replace("#crawl-delay", "70ms");
            page.click("#new-crawl summary");
            page.click("#new-crawl [name=refresh]");
            page.click("#new-crawl [type=submit]");
            page.until("!document.querySelector('#new-crawl').open");
            JsonNode crawl = fleet.get("api/v1/crawls/docs");
            assertThat(crawl.at("/definition/fetch/delay").asText()).isEqualTo("70ms");
            assertThat(crawl.at("/definition/seeds/0/headers/X-Key").asText()).isEqualTo("(hidden)");
            assertThat(crawl.path("crawl").asText() + "/" + crawl.path("epoch").asInt()).isEqualTo("docs/1");
            assertThat(page.sent("PATCH")).as("only what has changed")
                    .containsExactly("{\"fetch\":{\"delay\":\"70ms\"},\"refresh\":{}}");
            assertThat(page.troubles()).isEmpty();
        }
    }

    private String item() throws Exception {
        return "#/crawl/docs/items/"
                + URLEncoder.encode(fleet.get("api/v1/crawls/docs/items").path("items").get(0).path("place").asText(),
                        StandardCharsets.UTF_8);
    }

    @Test
    void anEmptyFormSaysWhatIsMissing() {
        try (Tab page = open(1400, "#/")) {
            page.click("[data-open='new-crawl']");
            page.click("#new-crawl [type=submit]");
            page.until("document.querySelectorAll('#new-crawl .fault').length === 2");
            assertThat(page.text("#new-crawl")).contains("enter at least one URL", "enter a name");
            assertThat(page.troubles()).as("nothing is sent").isEmpty();
        }
    }

    @Test
    void itemsOfAnOlderRunAreChosen() throws Exception {
        web.host(0).page("/twice", "<title>First</title>");
        String definition = "{\"seeds\":[\"%s\"],\"limits\":{\"depth\":0},\"fetch\":{\"delay\":\"0ms\"}}"
                .formatted(web.host(0).url("/twice"));
        fleet.define("twice", definition);
        try (Tab page = open(1400, "#/crawl/twice")) {
            page.until("document.querySelector('.crawl-head .pill')?.textContent === 'finished'");
            web.host(0).page("/twice", "<title>Second</title>");
            page.click(".crawl-head [data-do='fresh']");
            page.click("#confirm [value=yes]");
            page.until("document.querySelector('.crawl-head .pill')?.title === 'run 2'");
            page.until("document.querySelector('.crawl-head .pill')?.textContent === 'finished'");
            page.click("a[href='#/crawl/twice/items']");
            page.until("document.querySelector('.items tbody')?.innerText.includes('Second')");
            page.until("document.querySelector('#items-run').checkVisibility()");
            choose(page, "#items-run", "1");
            page.until("document.querySelector('.items tbody')?.innerText.includes('First')");
            page.click(".items tbody a");
            page.until("document.querySelector('#main').innerText.includes('First')");
            assertThat(page.troubles()).isEmpty();
        }
    }

    @Test
    void theFreshnessOfACrawlIsShownAndWhatItsRunsHaveChanged() {
        try (Tab page = open(1400, "#/crawl/fresh")) {
            page.click("a[href='#/crawl/fresh/freshness']");
            page.until("document.querySelector('[data-value=\"Expected fresh\"]')?.innerText === '100.0 %'");
            assertThat(page.text("[data-value='Due now']")).isEqualTo("0");
            assertThat(page.text("[data-value='Within a day']")).isEqualTo("1");
            assertThat(page.text("[data-value='Next run']")).isEqualTo("no schedule");
            assertThat(page.text("#main")).contains("up to 1 d", "stored");
            page.until("document.querySelector('.runs tbody th')?.textContent === '2'");
            page.click(".runs tbody a");
            page.until("document.querySelector('.changes tbody')?.innerText.includes('/fresh')");
            assertThat(page.text(".changes tbody")).contains("changed", "/fresh Fresh");
            page.click(".changes tbody a");
            page.until("document.querySelector('.compared del')?.textContent === 'old'");
            assertThat(page.text(".compared ins")).isEqualTo("new");
            assertThat(page.troubles()).isEmpty();
        }
    }

    @Test
    void failedUrlsAreRetriedInACrawlOfTheirOwn() {
        try (Tab page = open(1400, "#/crawl/docs")) {
            page.until(
                    "document.querySelector('[data-do=retry]') && !document.querySelector('[data-do=retry]').disabled");
            page.click("[data-do='retry']");
            page.click("#confirm [value=yes]");
            page.until("location.hash.startsWith('#/crawl/docs-retry-')");
            page.until("document.querySelector('.crawl-head .pill')?.textContent === 'finished'");
            assertThat(page.text("[data-value='HTTP errors']")).isEqualTo("1");
            assertThat(page.troubles()).isEmpty();
        }
    }

    @Test
    void noViewBreaksARuleOfAccessibilityOrIsWiderThanItsWindow() throws Exception {
        accessible(1400, List.of(false));
        accessible(800, List.of(false));
        accessible(390, List.of(true));
    }

    @Test
    @Tag("nightly")
    void noViewBreaksARuleOfAccessibilityAtAnyWidthInLightAndDark() throws Exception {
        for (int width : List.of(1400, 800, 390)) {
            accessible(width, List.of(false, true));
        }
    }

    private void accessible(int width, List<Boolean> modes) throws Exception {
        String axe = axe();
        for (String view : List.of("#/", "#/fleet", "#/hosts", "#/log", "#/look-up", "#/crawl/docs",
                "#/crawl/docs/items", item(), "#/crawl/fresh/freshness", "#/crawl/fresh/changes",
                "#/crawl/fresh/changes?url=" + web.host(0).url("/fresh"), module(), "docs.html")) {
            try (Tab page = view.startsWith("#") ? open(width, view) : plain(width, view)) {
                page.until(
                        "document.querySelector('#main h1') && document.querySelectorAll('#main tbody tr, #main .about dt, .probe option').length > 0");
                accessible(page, axe, view, width, modes);
            }
        }
        try (Tab page = open(width, "#/")) {
            page.click("[data-open='new-crawl']");
            page.until("document.querySelector('#new-crawl [type=submit]').checkVisibility()");
            accessible(page, axe, "new-crawl", width, modes);
        }
    }

    private static void accessible(Tab page, String axe, String view, int width, List<Boolean> modes)
            throws IOException {
        page.value(axe + "; 1");
        for (boolean dark : modes) {
            page.prefer(dark);
            assertThat(page.value(
                    "axe.run().then((r) => r.violations.map((v) => v.id + ' ' + v.nodes.map((n) => n.html).join(' ')).join('; '))")
                    .asText()).as(view + " at " + width + (dark ? " dark" : " light")).isEmpty();
            String name = view.replaceAll("[^a-z]+", "-") + width + (dark ? "-dark" : "-light") + ".png";
            Files.write(Files.createDirectories(SCREENSHOTS).resolve(name), page.screenshot());
        }
        assertThat(page.value("document.documentElement.scrollWidth <= innerWidth").asBoolean())
                .as(view + " at " + width).isTrue();
    }

    @Test
    void onANarrowWindowButtonsStandInOneLineErrorsAreCardsAndCrawlsComeFirst() {
        try (Tab page = open(800, "#/")) {
            page.until("document.querySelectorAll('.crawls td .controls').length > 0");
            assertThat(page.value("new Set([...document.querySelector('.crawls td .controls').children]"
                    + ".filter(b => !b.hidden).map(b => b.offsetTop)).size").asInt()).isOne();
        }
        try (Tab page = open(390, "#/")) {
            page.until("document.querySelectorAll('.errors tbody tr').length > 0");
            assertThat(page.value("getComputedStyle(document.querySelector('.errors tbody tr')).display").asText())
                    .isEqualTo("grid");
            assertThat(page.value("(u => u.scrollWidth <= u.clientWidth)(document.querySelector('.errors .url'))")
                    .asBoolean()).as("the whole URL is shown").isTrue();
            assertThat(page.value(
                    "[...document.querySelectorAll('#views a')].every(a => a.getBoundingClientRect().right <= innerWidth)")
                    .asBoolean()).as("no view is cut off").isTrue();
            assertThat(page.value("document.querySelector('.crawls').getBoundingClientRect().top"
                    + " < document.querySelector('.speeds').getBoundingClientRect().top").asBoolean()).isTrue();
        }
    }

    @Test
    void theChartOfACrawlBeginsAndEndsWithItsRun() {
        try (Tab page = open(1400, "#/crawl/docs")) {
            String labels = "[...document.querySelectorAll('.chart-grid text')].map(t => t.textContent).join('|')";
            page.until(labels + " !== ''");
            page.until("!" + labels + ".includes('ago')");
            assertThat(page.value(labels).asText()).doesNotContain("now");
        }
    }

    /** The summaries that the page gets from here on are changed by this statement of JavaScript. */
    private static void change(Tab page, String summary) {
        page.value("""
                (ask => window.fetch = async (...asked) => {
                  const answer = await ask(...asked);
                  if (!String(asked[0]).includes('api/v1/summary')) return answer;
                  const summary = await answer.json();
                  %s;
                  return new Response(JSON.stringify(summary), {headers: {'Content-Type': 'application/json'}});
                })(window.fetch) && 1""".formatted(summary));
    }

    @Test
    void aProcessThatCannotWriteIsToldInTheColourOfAWarning() {
        try (Tab page = open(1400, "#/")) {
            assertThat(page.value("document.querySelectorAll('.notice.warn').length").asInt()).isZero();
            change(page, """
                    summary.modules.find(m => m.mid.startsWith('P')).state =
                      {phase: 'waiting', for: 'OUTPUT', detail: 'No space left on device'}""");
            page.until("document.querySelector('#fleet-state').textContent === 'pipeline waiting for output'");
            assertThat(page.value("document.querySelector('#fleet-state').className").asText()).isEqualTo("pill pass");
            page.until("document.querySelector('.notice.warn')?.checkVisibility()");
            assertThat(page.text(".notice.warn")).contains("waiting for output: No space left on device");
        }
    }

    @Test
    void theNotesOfTheFleetAreWarnings() {
        for (String view : List.of("#/", "#/fleet")) {
            try (Tab page = open(1400, view)) {
                change(page, "summary.notes = ['Kafka has lost records of items']");
                page.until("document.querySelector('.notice.warn')?.textContent === 'Kafka has lost records of items'");
            }
        }
    }

    @Test
    void ofTheNotesOfACrawlTheFaultsAreWarnings() {
        try (Tab page = open(1400, "#/crawl/docs")) {
            change(page, """
                    for (const crawl of summary.crawls) {
                      crawl.notes = ['no contact', 'the sink index is behind'];
                      crawl.faults = ['the sink index is behind'];
                    }""");
            page.until("document.querySelector('.notice.warn')?.textContent === 'the sink index is behind'");
            page.until(
                    "[...document.querySelectorAll('.notice:not(.warn)')].some(n => n.textContent === 'no contact')");
        }
    }

    @Test
    void lookUpAsksEachCrawlThatKnowsTheUrlAndTellsSentencesOnly() throws Exception {
        fleet.define("other", "{\"seeds\":[\"%s\"],\"fetch\":{\"delay\":\"0ms\"}}".formatted(web.host(0).url("/a")));
        fleet.define("stranger", "{\"seeds\":[\"http://stranger.invalid/\"]}");
        await().until(() -> fleet.get("api/v1/crawls/other").has("end"));
        try (Tab page = open(1400, "#/look-up")) {
            page.until("document.querySelector('#probe-crawl option[value=other]')");
            choose(page, "#probe-crawl", "");
            page.type("#probe-url", web.host(0).url("/a"));
            page.click("[value=explain]");
            page.until("document.querySelectorAll('.story').length > 0");
            assertThat(page.text("#main")).contains("docs", "other", "answered").doesNotContain("stranger.invalid",
                    "answered depth", "without permit");
            assertThat(page.value("document.querySelectorAll('.story').length").asInt()).isEqualTo(2);
        }
    }

    private static String axe() throws IOException {
        try (InputStream in = DashboardViewsIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(java.util.Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
