package io.trawl.standalone.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a real fleet that crawls real pages, used in a real browser. Skipped if there is no browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {
    @TempDir
    private static Path folder;
    private UiFleet fleet;
    private Chromium chromium;
    private Tab page;

    @BeforeAll
    void startFleet() throws InterruptedException {
        chromium = Chromium.start(Chromium.demand());
        fleet = new UiFleet(folder.resolve("pages"), 1, Map.of());
    }

    @AfterAll
    void stopFleet() {
        if (chromium != null) {
            chromium.close();
        }
        if (fleet != null) {
            fleet.close();
        }
    }

    @BeforeEach
    void openDashboard() {
        page = chromium.open(1400, 900);
        page.prefer(false);
        page.go(fleet.dashboard());
        page.until("document.querySelector('#fleet-state').textContent.match(/ready|crawling/)");
    }

    @AfterEach
    void thePageCausedNoErrorsAndNoRequestsToOtherServers() {
        assertThat(page.troubles()).isEmpty();
        assertThat(page.requests()).isNotEmpty().allMatch(url -> url.startsWith(fleet.dashboard().toString()));
        page.close();
    }

    private static String row(String crawl) {
        return "tr[data-crawl='" + crawl + "']";
    }

    private static String shown(String crawl, String field) {
        return "document.querySelector(\"" + row(crawl) + " [data-value='" + field + "']\")?.textContent";
    }

    private static String number(String crawl, String field) {
        return "Number((" + shown(crawl, field) + " ?? '0').replaceAll(',', ''))";
    }

    private void untilState(String crawl, String state) {
        page.until("document.querySelector(\"" + row(crawl) + " .pill\")?.textContent === '" + state + "'");
    }

    @Test
    void aCrawlIsDefinedByTheFormStoppedStartedAndShownAsFinished() throws Exception {
        try (FakeWeb web = FakeWeb.start(2)) {
            LinkGraph graph = LinkGraph.serve(web, 260, 4, 21);
            page.click("[data-open='new-crawl']");
            page.type("#crawl-seeds", graph.url(0));
            page.replace("#crawl-id", "by-form");
            page.type("#crawl-depth", "20");
            page.type("#crawl-delay", "60ms");
            page.type("#crawl-domains", String.join(" ", graph.domains()));
            page.click("#new-crawl [type=submit]");
            untilState("by-form", "started");
            page.until(number("by-form", "pages") + " > 3");
            long early = page.value(number("by-form", "pages")).asLong();
            page.until(number("by-form", "pages") + " > " + early);

            page.click(row("by-form") + " [data-do='stop']");
            untilState("by-form", "stopped");
            page.until(number("by-form", "waiting") + " > 0");
            allModulesHaveDrained("by-form");
            page.until("/[0-9] of stopped crawls/.test(document.querySelector('#main').textContent)");
            page.click(row("by-form") + " [data-do='start']");
            untilState("by-form", "finished");

            JsonNode totals = fleet.get("api/v1/crawls/by-form").path("totals");
            assertThat(totals.path("pages").asLong()).isGreaterThan(100);
            page.until(number("by-form", "pages") + " === " + totals.path("pages").asLong());
            page.until(number("by-form", "errors") + " === "
                    + (totals.path("httpErrors").asLong() + totals.path("failures").asLong()));
            page.until(number("by-form", "waiting") + " === 0");
            assertThat(page.text(row("by-form") + " .percent")).isEqualTo("100 %");
        }
    }

    /** The view of the crawl lists each module of the stages. */
    private void allModulesHaveDrained(String crawl) throws Exception {
        page.click(row(crawl) + " th a");
        page.until("document.querySelector('.sign .pill')?.textContent === 'all have drained'");
        for (JsonNode module : fleet.get("api/v1/modules")) {
            assertThat(page.text(".sign")).contains(module.path("mid").asText());
        }
        page.until("document.querySelector('#main').textContent.includes('Left when it ended')");
        page.click("#views a[href='#/']");
        untilState(crawl, "stopped");
    }

    @Test
    void anAddressThatIsNoTextIsTakenAsItIs() {
        page.value("location.hash = '#/module/%zz'");
        page.until("document.querySelector('h1')?.textContent.includes('%zz')");
        await().until(() -> !page.troubles().isEmpty());
        assertThat(page.troubles()).as("there is no such process").allMatch(one -> one.contains("modules/%25zz"));
        page.go(fleet.dashboard());
        page.forgetTroubles();
    }

    @Test
    void theWholeFleetIsStoppedAndResumed() {
        page.click("#views a[href='#/fleet']");
        page.click(".card .button.danger");
        page.until("document.querySelector('#confirm').open");
        page.press("Escape");
        page.until(
                "!document.querySelector('#confirm').open && document.querySelector('#fleet-state').textContent === 'ready'");
        page.click(".card .button.danger");
        page.click("#confirm [value=yes]");
        page.until("document.querySelector('.sign .pill')?.textContent === 'all have drained'");
        page.until("document.querySelectorAll('.sign tbody tr').length === 4");
        page.until("document.querySelector('#fleet-state').textContent === 'stopped by a stop sign'");
        page.click(".card .controls .button.primary");
        page.until("document.querySelector('#fleet-state').textContent === 'ready'");
        page.until("document.querySelector('.sign .pill').textContent === 'not set'");
        page.until("document.querySelector('.sign summary').textContent === 'History: 2 changes'");
    }

    @Test
    void anErrorIsShownWhenItOccurs() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.page("/", "<title>Home</title><a href=/gone-for-good>gone</a>");
            page.until("document.body.innerText.includes('Newest errors')");
            fleet.define("erring",
                    "{\"seeds\":[{\"url\":\"%s\"}],\"fetch\":{\"delay\":\"0ms\"}}".formatted(host.url("/")));
            page.until("document.querySelector('.errors tbody').innerText.includes('/gone-for-good')");
            JsonNode error = fleet.get("api/v1/errors?crawl=erring").get(0);
            assertThat(page.text(".errors tbody tr")).contains("erring", "HTTP error", host.url("/gone-for-good"),
                    error.path("cause").asText());

            page.click("#views a[href='#/log']");
            page.type("#filter-host", "other.example");
            page.press("Enter");
            page.until("!document.querySelector('.errors tbody').innerText.includes('/gone-for-good')");
            page.replace("#filter-host", host.name());
            page.press("Enter");
            page.until("document.querySelector('.errors tbody').innerText.includes('/gone-for-good')");
            untilEvents("erring");
        }
    }

    /** The events of the crawl, from its definition to its end. */
    private void untilEvents(String crawl) {
        for (String type : List.of("initialized", "started", "finished")) {
            page.until("[...document.querySelectorAll('.events li')].some(e => e.innerText.includes('" + type
                    + "') && e.innerText.includes('" + crawl + "'))");
        }
    }

    @Test
    void theNumbersOfACrawlAreThoseOfTheRestInterface() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.page("/",
                    "<title>Home</title><a href=/a>a</a><a href=/gone>gone</a><a href=/b>b</a><a href='http://other.example/'>o</a>"
                            + "<a href=/dropped>d</a><a href=/failing>f</a>");
            host.page("/a", "<title>A</title>").redirect("/b", "/a").page("/dropped", "d").page("/failing", "f");
            fleet.define("numbers",
                    "{\"seeds\":[{\"url\":\"%s\"}],\"fetch\":{\"delay\":\"0ms\"}}".formatted(host.url("/")));
            untilState("numbers", "finished");
            page.click(row("numbers") + " th a");
            page.until("document.querySelector('h1').textContent === 'numbers'");
            // The name is there before the numbers are.
            page.until("document.querySelector('[data-value=Waiting]')?.innerText");

            JsonNode crawl = fleet.get("api/v1/crawls/numbers");
            for (Map.Entry<String, String> tile : Map.of("Pages", "pages", "Redirects", "redirects", "HTTP errors",
                    "httpErrors", "Failures", "failures", "Waiting", "waiting").entrySet()) {
                assertThat(page.text("[data-value='" + tile.getKey() + "']")).as(tile.getKey())
                        .isEqualTo(crawl.path("totals").path(tile.getValue()).asText());
            }
            assertThat(page.text("main")).contains("HTTP 404").contains("127.0.0.1").doesNotContain("Not followed");
            assertThat(page.text("[data-value='Refusals']")).as("the sum of what is shown by reason")
                    .isEqualTo(crawl.path("refusals").valueStream().mapToLong(JsonNode::asLong).sum() + "")
                    .isNotEqualTo("0");
            assertThat(crawl.path("totals").path("pages").asLong()).isEqualTo(4);
            assertThat(crawl.path("totals").path("items")).as("three pages and the error are stored").isEqualTo(
                    Json.mapper().readTree("{\"written\":5,\"stored\":3,\"dropped\":1,\"rejected\":1,\"waiting\":0}"));
            assertThat(crawl.path("droppedItems").toString()).isEqualTo("{\"by-path: unwanted\":1}");
            assertThat(crawl.path("rejectedItems").toString()).isEqualTo("{\"by-path: IllegalArgumentException\":1}");
            assertThat(crawl.path("errorsByKind").toString()).isEqualTo("{\"HTTP_ERROR 404\":1,\"PROCESSOR\":1}");
            assertThat(page.text("main")).contains("by-path: unwanted", "by-path: IllegalArgumentException",
                    "processor");
            assertThat(page.text(".about")).as("what is in no group, too").contains("168h");
            assertThat(page.text(".balance")).isEqualTo(
                    "6 requests = 4 pages + 1 redirect + 1 HTTP error + 0 waiting; 5 items = 3 stored + 1 dropped + 1 rejected + 0 waiting");
            assertThat(page.value("document.querySelector('.balance').className").asText()).isEqualTo("balance");
        }
    }

    @Test
    void theBalanceIsRedWhenItDoesNotAddUpOrSomethingStaysBehind() {
        page.value("import('./balance.js').then(m => { window.line = m.balanceLine(); })");
        page.until("window.line !== undefined");
        String whole = "{emitted: 3, pages: 2, sources: 0, requisites: 0, repeats: 0, redirects: 0, httpErrors: 1, failures: 0, refused: 0, duplicates: 0, waiting: 0";
        assertThat(red(whole + ", items: {written: 3, stored: 1, dropped: 0, rejected: 0, waiting: 2}}", "")).isFalse();
        assertThat(red(whole + ", items: {written: 3, stored: 1, dropped: 0, rejected: 0, waiting: 1}}", "")).isTrue();
        assertThat(red(whole + ", items: {written: 1, stored: 2, dropped: 0, rejected: 0, waiting: -1}}", "")).isTrue();
        String stored = ", items: {written: 3, stored: 3, dropped: 0, rejected: 0, waiting: 0}}";
        assertThat(red(whole.replace("pages: 2", "pages: 1") + stored, "")).isTrue();
        assertThat(red(whole.replace("pages: 2", "pages: 1, unchanged: 1") + stored, "")).isFalse();
        String end = ", end: {reason: 'FINISHED'}";
        assertThat(red(whole + stored, end)).isFalse();
        String behind = whole + ", items: {written: 3, stored: 2, dropped: 0, rejected: 0, waiting: 1}}";
        assertThat(red(behind, end)).as("the first look: the end may be read before the totals").isFalse();
        assertThat(red(behind, end)).isTrue();
    }

    @Test
    void theBalanceNamesEntriesAndFieldsThatCouldNotBeRead() {
        page.value("import('./balance.js').then(m => { window.line = m.balanceLine(); })");
        page.until("window.line !== undefined");
        String totals = "{emitted: 1, pages: 1, sources: 0, requisites: 0, repeats: 0, redirects: 0, httpErrors: 0, failures: 0, refused: 0,"
                + " duplicates: 0, waiting: 0, entriesNotTaken: 1200, items: {written: 1, stored: 1, dropped: 0, rejected: 0,"
                + " waiting: 0, fieldErrors: {'extract.items[0].fields.price': 1}}}";
        assertThat(red(totals, "")).isFalse();
        assertThat(page.value("window.line.node.textContent").asText())
                .endsWith("0 waiting; 1,200 damaged entries of sitemaps; 1 field left empty");
    }

    private boolean red(String totals, String end) {
        return page.value(
                "(window.line.update({totals: " + totals + end + "}), window.line.node.className === 'balance bad')")
                .asBoolean();
    }

    @Test
    void theFleetIsShownModuleByModule() throws Exception {
        page.click("#views a[href='#/fleet']");
        page.until("document.querySelectorAll('.modules tr:not(.group) th.mid').length === 4");
        for (JsonNode module : fleet.get("api/v1/modules")) {
            assertThat(page.text("main")).contains(module.path("mid").asText());
        }
        JsonNode level = fleet.get("api/v1/queue").path("levels").get(0);
        assertThat(page.text("[data-value='requests p2-capacity']").replace(",", ""))
                .isEqualTo(level.path("capacity").asText());
    }

    @Test
    void theRequestTopicsAreReplacedAfterThePlanIsConfirmed() throws Exception {
        page.click("#views a[href='#/fleet']");
        page.until("document.querySelector('.resize [name=partitions]').value === '8'");
        page.replace(".resize [name=partitions]", "12");
        page.click(".resize [type=submit]");
        page.until("document.querySelector('#confirm').open");
        assertThat(page.text("#confirm")).contains("8 to 12 partitions");
        page.click("#confirm [value=yes]");
        await().until(() -> fleet.get("api/v1/summary").at("/channels/replacement/generation").asInt() == 1);
        page.until("!document.querySelector('.resize [type=submit]').disabled");
        assertThat(fleet.get("api/v1/summary").at("/channels/partitions").asInt()).isEqualTo(12);
        page.until(
                "document.querySelector('.changes').innerText.includes('generation 1 are replaced: nothing was fetched for')");
        page.replace(".resize [name=responses]", "9");
        page.click(".resize [type=submit]");
        page.until("document.querySelector('#confirm').open");
        assertThat(page.text("#confirm")).contains("8 to 9 partitions of responses", "no request is forwarded")
                .doesNotContain("partitions of requests", "0 requests");
        page.click("#confirm [value=yes]");
        page.until(
                "document.querySelector('.changes').innerText.includes('responses: 9 partitions instead of 8, done after')");
    }

    @Test
    void aDefinitionIsEditedAsTextComparedAndSaved() throws Exception {
        fleet.define("text", "{\"seeds\":[\"http://127.0.0.1:1/\"],\"limits\":{\"maxPages\":70}}");
        page.value("location.hash = '#/crawl/text'");
        page.click("[data-do='edit-text']");
        page.until("document.querySelector('#definition .outcome').innerText.includes('Nothing changes')");
        page.replace("#definition-text", "limits:\n  depht: 2\n");
        page.until("document.querySelector('#definition .outcome').innerText.includes('Line 2, column 3')");
        page.replace("#definition-text",
                "seeds: [http://127.0.0.1:1/]\nlimits: {maxPages: 90}\nfetch: {delay: 3s}\nscope: {exclude: [/b/**]}\n");
        page.until("document.querySelectorAll('#definition tbody tr').length === 3");
        assertThat(page.text("#definition .outcome")).contains("limits.maxPages", "70", "90", "fetch.delay", "1s", "3s",
                "final for this run");
        page.click("#definition [type=submit]");
        page.until("!document.querySelector('#definition').open");
        JsonNode saved = fleet.get("api/v1/crawls/text/definition");
        assertThat(saved.at("/limits/maxPages").asInt()).isEqualTo(90);
        assertThat(saved.at("/fetch/delay").asText()).isEqualTo("3s");
        page.forgetTroubles();
    }

    @Test
    void aDefinitionThatBreaksRulesIsExplainedBesideItsFields() {
        page.click("[data-open='new-crawl']");
        page.type("#crawl-seeds", "http://127.0.0.1:1/");
        page.type("#crawl-delay", "soon");
        page.click("#new-crawl [type=submit]");
        page.until("document.querySelector('#new-crawl').innerText.includes('for example 500ms or 2s')");
        assertThat(page.value("document.querySelector('#new-crawl').open").asBoolean()).isTrue();
        assertThat(page.troubles()).singleElement().asString().contains("400");
        page.forgetTroubles();
    }

    @Test
    void everyFieldOfTheFormIsInItsGroupOfTheDefinition() {
        Map<String, String> wrong = Map.ofEntries(Map.entry("seeds", "ftp://x/"), Map.entry("depth", "-7"),
                Map.entry("delay", "2h"), Map.entry("max", "0"), Map.entry("priority", "9"),
                Map.entry("domains", "co.uk"), Map.entry("agent", "ä"), Map.entry("proxy", "p"),
                Map.entry("bytes", "0"), Map.entry("time", "1ms"), Map.entry("cron", "soon"),
                Map.entry("zone", "nowhere"), Map.entry("webhook", "ftp://x/"), Map.entry("secret", "x"));
        page.click("[data-open='new-crawl']");
        page.click("#new-crawl summary");
        wrong.forEach((field, value) -> page.type("#crawl-" + field, value));
        page.replace("#crawl-id", "wrong");
        page.click("#new-crawl [type=submit]");
        page.until("document.querySelectorAll('#new-crawl [aria-invalid]').length > 0");
        String invalid = page
                .value("[...document.querySelectorAll('#new-crawl [aria-invalid]')].map((field) => field.id).join(' ')")
                .asText();
        assertThat(invalid.split(" "))
                .containsExactlyInAnyOrderElementsOf(wrong.keySet().stream().map(field -> "crawl-" + field).toList());
        assertThat(page.text("#new-crawl .notice")).as("every fault is shown beside its field").isEmpty();
        page.forgetTroubles();
    }

    @Test
    void theFormIsOpenedAndClosedByKeyboardAlone() {
        for (int i = 0; i < 60
                && !page.value("document.activeElement.matches('[data-open=new-crawl]')").asBoolean(); i++) {
            page.press("Tab");
            assertThat(page.value("document.activeElement.matches(':focus-visible')").asBoolean())
                    .as("the focus is visible").isTrue();
        }
        page.press("Enter");
        page.until("document.querySelector('#new-crawl').open && document.activeElement.id === 'crawl-seeds'");
        page.type("http://keys.example/");
        page.press("Tab");
        assertThat(page.value("document.activeElement.value").asText()).as("a name is suggested")
                .isEqualTo("keys.example");
        page.press("Escape");
        page.until("!document.querySelector('#new-crawl').open");
        assertThat(page.value("document.activeElement.matches('[data-open=new-crawl]')").asBoolean())
                .as("the focus is back").isTrue();
    }

    @Test
    void markupOfCrawledPagesNeverRuns() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            String smuggled = "document.querySelectorAll('main img, main script').length";
            String title = "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'>";
            String name = "%3Cimg%20src=x%20onerror='window.ran=3'%3E";
            host.page("/", "<title>" + title.replace("<", "&lt;") + "</title><a href=\"/" + name + "\">x</a>");
            host.route("/" + name, Behaviours.status(404));
            fleet.define("hostile",
                    "{\"seeds\":[{\"url\":\"%s\"}],\"fetch\":{\"delay\":\"0ms\",\"userAgent\":\"<img src=x onerror=window.ran=4>\"}}"
                            .formatted(host.url("/")));
            untilState("hostile", "finished");
            page.click(row("hostile") + " th a");
            page.until("document.querySelector('h1').textContent === 'hostile'");
            page.until("document.querySelector('.errors tbody').innerText.includes('onerror')");
            page.until("document.querySelector('.about').innerText.includes(" + Json.text(host.url("/")) + ")");
            assertThat(page.text(".about")).contains("<img src=x onerror=window.ran=4>");
            assertThat(page.value(smuggled).asInt()).isZero();
            page.click("#views a[href='#/look-up']");
            page.type("#probe-url", host.url("/"));
            page.click("[value=preview]");
            page.until("document.querySelector('#main').innerText.includes(" + Json.text(title) + ")");
            assertThat(page.value("window.ran ?? 0").asInt()).isZero();
            assertThat(page.value(smuggled).asInt()).isZero();
        }
    }

    @Test
    void markupInsertedIntoThePageDoesNotRun() {
        page.value("document.body.insertAdjacentHTML('beforeend', '<img src=/favicon.svg onload=\"window.ran = 5\">')");
        page.until("document.body.lastElementChild.complete");
        assertThat(page.value("window.ran ?? 0").asInt()).isZero();
        assertThat(page.troubles()).singleElement().asString().contains("Content Security Policy");
        page.forgetTroubles();
    }

    @Test
    void domainsAreAcceptedAndRemovedAndACrawlIsRerunRefreshedOrDeleted() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            web.host(0).page("/", "<title>Home</title>");
            fleet.define("scoped", "{\"seeds\":[{\"url\":\"%s\"}],\"fetch\":{\"delay\":\"0ms\"},\"refresh\":{}}"
                    .formatted(web.host(0).url("/")));
            untilState("scoped", "finished");
            page.click(row("scoped") + " th a");
            page.type("#domain-name", "extra.example");
            page.press("Enter");
            page.until("document.querySelector('.chips').innerText.includes('extra.example')");
            assertThat(fleet.get("api/v1/crawls/scoped/domains").path("domains").toString()).contains("extra.example");
            page.click("[aria-label='No longer accept extra.example']");
            page.until("!document.querySelector('.chips').innerText.includes('extra.example')");
            page.click("details:has(#more-seeds) summary");
            page.type("#more-seeds", "http://refused.example/");
            page.click("details:has(#more-seeds) button");
            page.until(
                    "document.querySelector('#messages').innerText.includes('1 seed sent to scoped, 1 refused (domain)')");
            assertThat(fleet.get("api/v1/crawls/scoped/domains").path("domains").toString())
                    .doesNotContain("extra.example");

            page.click("#views a[href='#/']");
            page.click(row("scoped") + " [data-do='fresh']");
            page.click("#confirm [value=yes]");
            await().untilAsserted(() -> {
                JsonNode rerun = fleet.get("api/v1/crawls/scoped");
                assertThat(rerun.path("epoch").asInt()).isEqualTo(2);
                assertThat(rerun.path("state").asText()).isEqualTo("STOPPED");
                assertThat(rerun.at("/definition/seeds")).hasSize(1);
            });
            // The page may still show that the run before has finished.
            page.until("document.querySelector(\"" + row("scoped") + " .pill\")?.title === 'run 2'");
            untilState("scoped", "finished");
            page.click(row("scoped") + " [data-do='refresh']");
            page.until("document.querySelector(\"" + row("scoped") + " .pill\")?.title === 'run 3'");
            untilState("scoped", "finished");
            page.click(row("scoped") + " th a");
            page.until("document.querySelector('.crawl-head .sub').textContent.startsWith('Run 3, refreshes run 2')");
            assertThat(page.text("[data-value='Unchanged']")).isEqualTo("1");
            assertThat(page.text(".balance")).startsWith("1 request = 0 pages + 1 unchanged + 0 waiting");
            assertThat(page.value("document.querySelector('.balance').className").asText()).isEqualTo("balance");
            page.until("document.querySelector('.runs')?.innerText.includes('0, 1 unchanged')");
            page.click("#views a[href='#/']");
            untilState("scoped", "finished");
            page.click(row("scoped") + " [data-do='trash']");
            page.until("document.activeElement.value === 'no'");
            page.press("Enter");
            page.until("!document.querySelector('#confirm').open");
            untilState("scoped", "finished");
            page.click(row("scoped") + " [data-do='trash']");
            page.click("#confirm [value=yes]");
            page.until("document.querySelector(\"" + row("scoped") + "\") === null");
            assertThat(fleet.get("api/v1/crawls")).noneMatch(crawl -> crawl.path("crawl").asText().equals("scoped"));
        }
    }

    @Test
    void aUrlIsExplained() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            web.host(0).page("/", "<title>Home</title>");
            fleet.define("told",
                    "{\"seeds\":[{\"url\":\"%s\"}],\"fetch\":{\"delay\":\"0ms\"}}".formatted(web.host(0).url("/")));
            untilState("told", "finished");
            page.click("#views a[href='#/look-up']");
            page.type("#probe-url", web.host(0).url("/#top"));
            page.value("document.querySelector('#probe-crawl').value = 'told'");
            page.click("[value=explain]");
            page.until("document.querySelectorAll('.story li').length > 0");
            JsonNode story = fleet.get("api/v1/explain?crawl=told&url=" + web.host(0).url("/"));
            assertThat(page.text("#main")).contains(web.host(0).url("/"), "answered");
            assertThat(story.path("state").asText()).isEqualTo("ANSWERED");
        }
    }

    @Test
    void aSelectorIsTriedOnAPreviewedPageAndGivesALineOfTheCrawlFile() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            String url = web.host(0).url("/");
            web.host(0).page("/",
                    "<title>Home</title><h2 id=a>One \"x\" <img src=x onerror='window.ran=5'></h2><h2>Two</h2>");
            fleet.define("tried",
                    "{\"seeds\":[{\"url\":\"%s\"}],\"fetch\":{\"delay\":\"0ms\"},\"process\":{\"processors\":[{\"set\":{\"source\":\"by a processor\"}}]}}"
                            .formatted(url));
            untilState("tried", "finished");
            page.click("#views a[href='#/look-up']");
            page.type("#probe-url", url);
            page.value("document.querySelector('#probe-crawl').value = 'tried'");
            page.click("[value=preview]");
            page.until("document.querySelector('#try-selector') !== null");
            assertThat(page.text("#main")).contains("by a processor");
            long fetches = web.count(url);
            page.type("#try-selector", "h2");
            page.click("[value=try]");
            page.until("document.querySelectorAll('.taken').length === 2");
            page.replace("#try-selector", "h2[id]");
            page.value("document.querySelector('#try-type').value = 'markdown'");
            page.click("[value=try]");
            page.until("document.querySelectorAll('.taken').length === 1");
            assertThat(page.text(".taken")).isEqualTo("## One \"x\" ![](" + url + "x)");
            assertThat(page.value("document.querySelector('#try-line').value").asText())
                    .isEqualTo("value: {css: \"h2[id]\", type: markdown}");
            page.replace("#try-selector", "h2[");
            page.click("[value=try]");
            page.until("document.querySelector('#main').innerText.includes('a CSS selector')");
            assertThat(web.count(url)).isEqualTo(fetches);
            assertThat(page.value("window.ran ?? 0").asInt()).isZero();
            page.forgetTroubles();
        }
    }

    @Test
    void theThemeFollowsTheSystemUntilTheUserChoosesOne() {
        String background = "getComputedStyle(document.body.parentElement).backgroundColor";
        String light = page.value(background).asText();
        page.prefer(true);
        String dark = page.value(background).asText();
        assertThat(dark).isNotEqualTo(light);
        page.click("#theme");
        assertThat(page.value(background).asText()).isEqualTo(light);
        page.go(fleet.dashboard());
        assertThat(page.value(background).asText()).as("remembered").isEqualTo(light);
        page.value("localStorage.clear()");
    }

    @Test
    void theRestInterfaceHasAPageThatIsMadeOfItsDescription() throws Exception {
        page.go(fleet.dashboard().resolve("docs.html"));
        page.until("document.querySelectorAll('details[id^=schema-]').length > 20");
        JsonNode document = fleet.get("api/v1/openapi.json");
        long operations = document.path("paths").valueStream().flatMap(JsonNode::valueStream)
                .filter(operation -> operation.has("operationId")).count();
        assertThat(page.value("document.querySelectorAll('details:not([id^=schema-])').length").asLong())
                .isEqualTo(operations);
        assertThat(page.text("#listCrawls")).contains("/api/v1/crawls", "All crawls, by id");
        assertThat(page.value("[...document.querySelectorAll('a[href^=\"#\"]')]"
                + ".filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length").asInt())
                .as("links that lead nowhere").isZero();
    }

    @Test
    void everyFileForbidsForeignScripts() throws Exception {
        for (String path : new String[]{"", "app.js", "theme.css"}) {
            HttpResponse<byte[]> answer = fleet.send(HttpRequest.newBuilder(fleet.dashboard().resolve(path)).build());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'", "script-src 'self'")
                            .doesNotContain("unsafe"));
        }
        HttpResponse<byte[]> missing = fleet
                .send(HttpRequest.newBuilder(fleet.dashboard().resolve("no-such.js")).build());
        assertThat(missing.statusCode()).isEqualTo(404);
    }

    @Test
    void aPageOfAnotherSiteCannotChangeAnything() throws Exception {
        String sign = fleet.dashboard().resolve("api/v1/stop-sign").toString();
        try (FakeWeb web = FakeWeb.start(1); Tab other = chromium.open(800, 600)) {
            web.host(0).page("/", "<title>Hostile</title>");
            other.go(URI.create(web.host(0).url("/")));
            other.value("fetch('" + sign + "', {method: 'POST', mode: 'no-cors'}).then(() => 1)");
            assertThat(fleet.get("api/v1/stop-signs"))
                    .noneMatch(one -> !one.has("crawl") && one.path("signed").asBoolean());
        }
        HttpResponse<byte[]> answer = fleet.send(HttpRequest.newBuilder(URI.create(sign))
                .header("Sec-Fetch-Site", "cross-site").POST(HttpRequest.BodyPublishers.noBody()).build());
        assertThat(answer.statusCode()).isEqualTo(403);
    }

    @Test
    void aTokenIsRequestedIfTheCoordinatorNeedsOne() throws Exception {
        String token = "read-token-of-this-test";
        try (UiFleet closed = new UiFleet(folder.resolve("closed"), 0, Map.of("trawl.api.read-token", token))) {
            try (Tab other = chromium.open(1400, 900)) {
                URI dashboard = closed.dashboard();
                other.go(dashboard);
                other.until("document.querySelector('#token').open");
                other.type("#token-value", token);
                other.press("Enter");
                other.until("document.querySelector('#fleet-state').textContent === 'ready'");
                assertThat(other.value("document.querySelector('#token').open").asBoolean()).isFalse();
            }
            try (Tab linked = chromium.open(1400, 900)) {
                linked.go(closed.dashboard().resolve("#token=" + token));
                linked.until("document.querySelector('#fleet-state').textContent === 'ready'");
                assertThat(linked.value("document.querySelector('#token').open").asBoolean()).isFalse();
                assertThat(linked.value("location.href").asText()).doesNotContain(token);
            }
        }
    }
}
