package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.api.render.Rendering;
import io.trawl.api.render.Rendering.RefusedRequest;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.browser.BrowserFetcher;
import io.trawl.downloader.fetch.custom.NamedFetchers;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages in a real Chromium. Skipped without one, unless {@code UI_TESTS_REQUIRED=true}. */
class BrowserFetcherIT extends FetcherContract {
    private static final FetchProfile CHOSEN = new FetchProfile(PROFILE.userAgent()).with().style(PROFILE.style())
            .ignoreRobots(Set.of("127.0.0.1")).fetcher(Optional.of("browser")).build();
    private static final Path PROGRAM = Stream
            .of(Optional.ofNullable(System.getenv("CHROMIUM_PATH")).orElse(""), "/usr/bin/chromium",
                    "/usr/bin/google-chrome")
            .map(Path::of).filter(Files::isRegularFile).filter(Files::isExecutable).findFirst()
            .orElse(Path.of("/usr/bin/chromium"));
    private static final BrowserFetcher BROWSER = new BrowserFetcher(PROGRAM, List.of("--no-sandbox"), 2,
            Time.system());

    /** Tests close their connections, and share the browser. */
    private record Shared(BrowserFetcher browser) implements io.trawl.api.PageFetcher {
        @Override
        public String name() {
            return browser.name();
        }

        @Override
        public io.trawl.api.FetchAnswer fetch(io.trawl.api.FetchTask task) throws Exception {
            return browser.fetch(task);
        }
    }

    @BeforeAll
    static void findBrowser() {
        assumeTrue("true".equals(System.getenv("UI_TESTS_REQUIRED")) || Files.isExecutable(PROGRAM),
                "no Chromium on this machine");
    }

    @AfterAll
    static void closeBrowser() {
        BROWSER.close();
    }

    @Override
    Fetcher open(Map<String, String> settings) {
        var bounds = bounds(settings);
        return new Chosen(closing(new NamedFetchers(bounds.http(), List.of(), List.of(new Shared(BROWSER)), bounds)),
                CHOSEN);
    }

    private FetchResult render(RawServer server) {
        return fetchWith(open(Map.of()), request(server.url("/"), FetchOptions.NONE));
    }

    /** On a busy machine the time may be over before the page has text: then it is tried again, as in a crawl. */
    private FetchResult renderUntilCut(RawServer server, String timeout) {
        Fetcher fetcher = open(Map.of("trawl.downloader.total-timeout", timeout));
        return Stream.generate(() -> fetchWith(fetcher, request(server.url("/"), FetchOptions.NONE))).limit(3)
                .filter(result -> result.outcome() instanceof Outcome.Success).findFirst().orElseThrow();
    }

    private static Stream<String> paths(RawServer server) {
        return server.heads().stream().map(head -> head.split(" ")[0] + " " + head.split(" ")[1]);
    }

    @Test
    void aPageIsAsItsScriptsLeaveIt() throws IOException {
        RawServer server = server(turn -> {
            switch (turn.path()) {
                case "/" -> turn.answer("200 OK", "<body><p id=a>raw</p><script src=/app.js></script><img src=/i.png>",
                        "Content-Type: text/html; charset=iso-8859-1");
                case "/app.js" -> turn.answer("302 Found", "", "Location: app-2.js");
                case "/app-2.js" -> turn.answer("200 OK",
                        "fetch('/data').then(r => r.text()).then(t => a.textContent = t + ' ' + navigator.userAgent);"
                                + "setTimeout(() => alert('hello'), 1)",
                        "Content-Type: text/javascript");
                default -> turn.answer("200 OK", "gesetzt für", "Content-Type: text/plain; charset=utf-8");
            }
        });
        FetchResult fetchResult = render(server);
        assertThat(text(fetchResult)).contains("gesetzt für " + PROFILE.userAgent()).doesNotContain(">raw");
        assertThat(fetchResult.headers()).containsEntry("content-type", "text/html; charset=utf-8")
                .doesNotContainKey("content-length");
        assertThat(paths(server)).containsExactly("GET /", "GET /app.js", "GET /app-2.js", "GET /data");
        assertThat(server.heads()).allSatisfy(head -> assertThat(head).contains("User-Agent: " + PROFILE.userAgent()));
    }

    @Test
    void aVisitIsRenderedAsAWhole() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK",
                "<p id=a>raw</p><script>a.textContent = 'made'</script>", "Content-Type: text/html", "ETag: \"1\""));
        Visit known = VisitBuilder.builder().number(1).state(PageState.STORED).etag(Optional.of("\"1\"")).build();
        FetchResult fetchResult = fetchWith(open(Map.of()),
                request(server.url("/"), FetchOptions.NONE).withVisit(Optional.of(known)));
        assertThat(text(fetchResult)).contains(">made<");
        assertThat(server.heads()).noneMatch(head -> head.contains("If-None-Match"));
    }

    @Test
    void nothingOfAPageLeavesTheBrowserByAnotherWay() throws IOException {
        RawServer other = server(turn -> turn.answer("200 OK", "other", "Access-Control-Allow-Origin: *"));
        String away = "127.0.0.1:" + other.port();
        RawServer server = server(turn -> turn.answer("200 OK", """
                <body><link rel=preconnect href=http://%1$s><link rel=stylesheet href=http://%1$s/c.css>
                <iframe src=http://%1$s/frame></iframe><iframe src=file:///etc/passwd></iframe><p id=p></p>
                <script>
                const say = t => p.textContent += t + ';';
                fetch('http://%1$s/xhr').then(() => say('fetched')).catch(() => say('no fetch'));
                fetch('/post', {method: 'POST', body: 'x'}).then(() => say('posted')).catch(() => say('no post'));
                new WebSocket('ws://%1$s/ws').onerror = () => say('no socket');
                navigator.sendBeacon('http://%1$s/beacon', 'x');
                navigator.serviceWorker.register('/sw.js').catch(() => say('no service worker'));
                new Worker(URL.createObjectURL(new Blob(["fetch('http://%1$s/worker')"])));
                new RTCPeerConnection({iceServers: [{urls: 'stun:%1$s'}]}).createDataChannel('a');
                open('http://%1$s/popup');
                const a = document.createElement('a'); a.href = 'http://%1$s/file'; a.download = 'f'; a.click();
                setTimeout(() => location.href = 'http://%1$s/away', 50);
                </script>""".formatted(away), "Content-Type: text/html"));
        FetchResult fetchResult = render(server);
        String html = text(fetchResult);
        assertThat(html).contains("no fetch", "no post", "no socket", "no service worker").doesNotContain("posted;",
                "fetched;");
        Rendering rendering = fetchResult.render().orElseThrow();
        assertThat(rendering.refused()).contains(refused("http://" + away + "/xhr", SubrequestRefusal.SERVER),
                refused(server.url("/post"), SubrequestRefusal.METHOD),
                refused("http://" + away + "/c.css", SubrequestRefusal.TYPE),
                refused("http://" + away + "/frame", SubrequestRefusal.SERVER),
                refused("http://" + away + "/away", SubrequestRefusal.NAVIGATION));
        assertThat(rendering.requests()).isEqualTo(1);
        assertThat(rendering.partial()).isFalse();
        assertThat(paths(server)).containsOnly("GET /");
        assertThat(other.connections()).isZero();
    }

    @Test
    void aPageThatDoesNotComeToRestIsReadWhenItsTimeIsOver() throws IOException {
        RawServer server = server(turn -> {
            turn.answer("200 OK",
                    turn.path().equals("/") ? "<p>here</p><script>setInterval(() => fetch('/more'), 10)</script>" : "x",
                    "Content-Type: text/html");
        });
        FetchResult fetchResult = renderUntilCut(server, "3s");
        assertThat(text(fetchResult)).contains("here");
        assertThat(fetchResult.render().orElseThrow().requests()).isBetween(2, 100);
    }

    @Test
    void whatIsInOpenShadowRootsAndFramesOfTheServerIsReadInItsPlaceWithLinksThatLead() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", switch (turn.path()) {
            case "/frames/a" ->
                """
                        <head><title>not this</title></head><body><p>in a frame</p><a href=b>b</a><iframe srcdoc="<p>in it</p>"></iframe>
                        <div id=inner></div><script>inner.attachShadow({mode: 'open'}).innerHTML = '<i>its shadow</i>'</script>""";
            case "/" ->
                """
                        <!doctype html><body><h1>top</h1><x-card><b slot=head>slotted</b><u>not shown</u></x-card>
                        <iframe src=/frames/a></iframe><iframe sandbox srcdoc="<p>sandboxed</p>"></iframe>
                        <form><input name=childNodes><input name=append><input name=nodeType><em>in a form</em></form>
                        <noscript><p>without scripts</p></noscript><template><p>template</p></template><p>end &lt;b></p>
                        <script>
                        customElements.define('x-card', class extends HTMLElement {
                          constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML =
                              '<h2><slot name=head>nothing</slot></h2><a href=/shadow>link</a><slot name=none>fallback</slot>'; }
                        });
                        Element.prototype.append = () => { throw 'broken'; };
                        </script>""";
            default -> "<p>other</p>";
        }, "Content-Type: text/html"));
        FetchResult fetchResult = render(server);
        String html = text(fetchResult).replaceAll("\\s*\n\\s*", "");
        assertThat(html)
                .startsWith("<!DOCTYPE html><html><head></head><body><h1>top</h1><x-card><h2><slot name=\"head\">"
                        + "<b slot=\"head\">slotted</b></slot></h2><a href=\"/shadow\">link</a><slot name=\"none\">fallback</slot>"
                        + "<u>not shown</u></x-card><iframe src=\"/frames/a\"></iframe><div data-frame=\""
                        + server.url("/frames/a") + "\"><div><p>in a frame</p><a href=\"" + server.url("/frames/b")
                        + "\">b</a>")
                .contains(
                        "<div data-frame=\"about:srcdoc\"><div><p>in it</p></div></div><div id=\"inner\"><i>its shadow</i></div>",
                        "<em>in a form</em></form><noscript><p>without scripts</p></noscript><template><p>template</p></template>"
                                + "<p>end &lt;b&gt;</p>")
                .doesNotContain("not this", "<p>sandboxed");
        assertThat(paths(server)).containsExactly("GET /", "GET /frames/a");
        assertThat(fetchResult.render().orElseThrow().refused()).isEmpty();
    }

    @Test
    void aPageOfFramesIsReadAsOne() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK",
                turn.path().equals("/")
                        ? "<frameset><frame src=/a><frame src=/b></frameset>"
                        : "<p>text of " + turn.path(),
                "Content-Type: text/html"));
        assertThat(text(render(server)))
                .contains("<iframe src=\"/a\"></iframe>", "<p>text of /a</p>", "<p>text of /b</p>")
                .doesNotContain("<frame");
    }

    @Test
    void aScriptThatTheServerLetsBeKeptIsFetchedOnceForAllPagesOfTheRunAndOneThatIsStaleByItsValidator()
            throws IOException {
        RawServer server = server(turn -> {
            boolean script = turn.path().endsWith(".js");
            if (turn.head().contains("If-None-Match: \"1\"\r\n")) {
                turn.answer("304 Not Modified", new byte[0]);
            } else {
                turn.answer("200 OK", script
                        ? "document.body.append('" + turn.path() + " ');"
                        : "<body><script src=/kept.js></script><script src=/stale.js></script><script src=/mine.js></script>",
                        "Content-Type: " + (script ? "text/javascript" : "text/html"),
                        "Cache-Control: " + switch (turn.path()) {
                            case "/stale.js" -> "no-cache\r\nETag: \"1\"";
                            case "/mine.js" -> "private, max-age=600";
                            default -> "max-age=600";
                        });
            }
        });
        Fetcher fetcher = open(Map.of());
        for (int page = 0; page < 3; page++) {
            FetchResult fetchResult = fetchWith(fetcher, request(server.url("/" + page), FetchOptions.NONE));
            assertThat(text(fetchResult)).contains(">/kept.js <", ">/stale.js <", ">/mine.js <");
            assertThat(fetchResult.render().orElseThrow().requests()).isEqualTo(page == 0 ? 4 : 3);
        }
        fetchWith(fetcher, request(server.url("/0"), FetchOptions.NONE));
        assertThat(paths(server)).containsExactly("GET /0", "GET /kept.js", "GET /stale.js", "GET /mine.js", "GET /1",
                "GET /stale.js", "GET /mine.js", "GET /2", "GET /stale.js", "GET /mine.js", "GET /0", "GET /stale.js",
                "GET /mine.js");
    }

    private static RefusedRequest refused(String url, SubrequestRefusal reason) {
        return new RefusedRequest(url, reason);
    }

    /** Sixty scripts at the delay of a second, and a time that is over after the first. */
    private FetchResult notReady(String body) throws IOException {
        String scripts = IntStream.range(0, 60).mapToObj(i -> "<script src=/" + i + ".js></script>")
                .collect(Collectors.joining());
        RawServer server = server(turn -> turn.answer("200 OK", turn.path().equals("/") ? body + scripts : "1",
                "Content-Type: " + (turn.path().equals("/") ? "text/html" : "text/javascript")));
        NamedFetchers fetchers = ((Chosen) open(Map.of("trawl.downloader.total-timeout", "2s"))).fetchers();
        FetchProfile delayed = new FetchProfile(PROFILE.userAgent()).with().style(PROFILE.style())
                .ignoreRobots(Set.of("127.0.0.1")).delay(Duration.ofSeconds(1)).fetcher(Optional.of("browser")).build();
        return fetchers.fetch(request(server.url("/"), FetchOptions.NONE), delayed, () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Test
    void aPageWithTextThatIsNotReadyWhenItsTimeIsOverIsPartialAndSaysWhatItDidNotGet() throws IOException {
        FetchResult fetchResult = notReady("<p>here</p>");
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        Rendering rendering = fetchResult.render().orElseThrow();
        assertThat(rendering.partial()).isTrue();
        assertThat(rendering.requests()).isEqualTo(2);
        assertThat(rendering.ms()).isGreaterThan(1500);
        // On a busy machine the browser has not asked for all 59 of the others then.
        assertThat(rendering.refused()).hasSizeBetween(1, 50).extracting(RefusedRequest::reason)
                .containsOnly(SubrequestRefusal.TIME);
        assertThat(rendering.refusedByReason()).containsOnlyKeys(SubrequestRefusal.TIME);
        assertThat(rendering.refusedByReason().get(SubrequestRefusal.TIME)).isBetween(rendering.refused().size(), 59);
    }

    @Test
    void aPageWithoutTextThatIsNotReadyWhenItsTimeIsOverIsATimeOutThatSaysHowFarItCame() throws IOException {
        FetchResult fetchResult = notReady("<title>shop</title><style>p {}</style>");
        assertFailure(fetchResult, FailureReason.TIMEOUT,
                "the page had no text when its time was over; 2 requests were sent for it, ",
                " that it made were refused");
        assertThat(fetchResult.render().orElseThrow().refusedByReason()).containsOnlyKeys(SubrequestRefusal.TIME);
    }

    @Test
    void aRequestThatGetsNoAnswerEndsWithTheTimeOfThePageWhichIsReadThen() throws IOException {
        RawServer server = server(turn -> {
            if (turn.path().equals("/")) {
                turn.answer("200 OK", "<p>here</p><script src=/silent.js></script>", "Content-Type: text/html");
            }
        });
        FetchResult fetchResult = renderUntilCut(server, "2s");
        assertThat(text(fetchResult)).contains("here");
        Rendering rendering = fetchResult.render().orElseThrow();
        assertThat(rendering.partial()).isTrue();
        assertThat(rendering.refused()).containsExactly(refused(server.url("/silent.js"), SubrequestRefusal.TIME));
    }

    @Test
    void aScriptWithoutAnEndIsATimeOutAndTheNextPageIsRendered() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK",
                turn.path().equals("/") ? "<script>while (true) {}</script>" : "<p>next</p>",
                "Content-Type: text/html"));
        Fetcher fetcher = open(Map.of("trawl.downloader.total-timeout", "2s"));
        assertFailure(fetchWith(fetcher, request(server.url("/"), FetchOptions.NONE)), FailureReason.TIMEOUT);
        assertThat(text(fetchWith(fetcher, request(server.url("/next"), FetchOptions.NONE)))).contains("next");
    }

    @Test
    void aBrowserThatDiesIsStartedAgainAndThePageIsRendered() throws Exception {
        RawServer server = server(turn -> {
            if (turn.path().equals("/data")) {
                browsers().forEach(ProcessHandle::destroyForcibly);
            }
            turn.answer("200 OK", "<p>there</p><script>fetch('/data')</script>", "Content-Type: text/html");
        });
        FetchResult fetchResult = open(Map.of("trawl.downloader.total-timeout", "20s"))
                .fetch(request(server.url("/"), FetchOptions.NONE), CHOSEN, () -> true)
                .get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertFailure(fetchResult, FailureReason.OTHER, "ends the browser");
        assertThat(paths(server)).as("one page, and a second try").containsExactly("GET /", "GET /data", "GET /data");
        RawServer next = server(turn -> turn.answer("200 OK", "<p>next</p>", "Content-Type: text/html"));
        assertThat(render(next).outcome()).isEqualTo(new Outcome.Success(200, false));
    }

    private static List<ProcessHandle> browsers() {
        return ProcessHandle.current().descendants()
                .filter(child -> child.info().command().orElse("").contains("chrom")).toList();
    }
}
