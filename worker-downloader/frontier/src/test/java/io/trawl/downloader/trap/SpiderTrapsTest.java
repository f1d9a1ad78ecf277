package io.trawl.downloader.trap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.trap.SpiderTraps.Change;
import io.trawl.downloader.trap.SpiderTraps.HostOfRun;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Traps are found within a hundred pages, and ordinary sites never. */
class SpiderTrapsTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private static final HostKey HOST = new HostKey("a.test:80");
    private static final String[] MONTHS = {"January", "February", "March", "April", "May", "June", "July", "August",
            "September", "October", "November", "December"};
    private static final String NAVIGATION = navigation();
    private final SpiderTraps traps = new SpiderTraps();

    private record Page(String path, String html) {}

    private static String navigation() {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder html = new StringBuilder("<nav>");
        for (int i = 0; i < 400; i++) {
            html.append("<a href=/section/").append(i).append(">").append(word(random)).append(' ').append(word(random))
                    .append("</a>\n");
        }
        return html.append("</nav>").toString();
    }

    private static String word(SplittableRandom random) {
        StringBuilder word = new StringBuilder();
        for (int i = 3 + random.nextInt(6); i > 0; i--) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }

    /** A page of 27 KB, of which all but these words are the same on all pages of its site. */
    private static String templated(int page, int words) {
        SplittableRandom random = new SplittableRandom(page);
        StringBuilder html = new StringBuilder("<html><title>Page ").append(page).append("</title>").append(NAVIGATION);
        for (int i = 0; i < words; i++) {
            html.append(word(random)).append(' ');
        }
        return html.append("</html>").toString();
    }

    /** The changes after these pages, each with its number. */
    private List<String> changes(CrawlRun run, int pages, IntFunction<Page> site) {
        List<String> changes = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            Page page = site.apply(i);
            for (Change change : traps.fetched(request(run, HOST, page.path()), result(page.html()))) {
                assertThat(change.host()).isEqualTo(new HostOfRun(run, HOST));
                changes.add(change.trap() + " after " + (i + 1));
            }
        }
        return changes;
    }

    private List<String> changes(int pages, IntFunction<Page> site) {
        return changes(RUN, pages, site);
    }

    private static Request request(CrawlRun run, HostKey host, String path) {
        return RequestBuilder.builder().id(new RequestId(1)).run(run).url("http://a.test" + path).host(host).depth(1)
                .domains(1).options(FetchOptions.NONE).build();
    }

    private static FetchResult result(String html) {
        return new FetchResult(new Outcome.Success(200, false), Map.of("content-type", "text/html; charset=utf-8"),
                new Body(html.getBytes(UTF_8)), Duration.ZERO, Optional.empty(), Instant.EPOCH);
    }

    private void isFound(IntFunction<Page> trap) {
        assertThat(changes(1000, trap)).singleElement()
                .satisfies(change -> assertThat(change).startsWith("true after "));
        assertThat(Integer.parseInt(changes(new CrawlRun(RUN.crawl(), 2), 1000, trap).getFirst().split(" ")[2]))
                .isLessThanOrEqualTo(110);
    }

    @Test
    void aCalendarWithoutEnd() {
        isFound(i -> new Page("/calendar?year=" + (2000 + i / 12) + "&month=" + (1 + i % 12),
                "<h1>" + MONTHS[i % 12] + " " + (2000 + i / 12) + "</h1>" + templated(0, 200)));
    }

    @Test
    void aChainOfSmallPages() {
        isFound(i -> new Page("/page/" + i, "<a href=/page/" + (i + 1) + ">page " + (i + 1) + "</a>"));
    }

    @Test
    void sessionsInLinks() {
        isFound(i -> new Page("/shop?sid=" + Integer.toHexString(i * 7919), templated(i % 20, 300)));
    }

    @Test
    void pathsThatRepeat() {
        isFound(i -> new Page("/a/b".repeat(3 + i % 5) + "/" + i, templated(i, 300)));
    }

    @Test
    void pathsThatGetLongerAndLonger() {
        isFound(i -> new Page("/x" + i + "/y".repeat(1) + deep(21 + i), templated(i, 300)));
    }

    private static String deep(int segments) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < segments; i++) {
            path.append("/s").append(i);
        }
        return path.toString();
    }

    @Test
    void aSiteOfPagesWithOneTemplateIsNoTrap() {
        assertThat(changes(3000, i -> new Page("/p/" + i + ".html", templated(i, 150)))).isEmpty();
    }

    @Test
    void aSiteWhosePagesHaveOneNewSentenceIsNoTrap() {
        assertThat(changes(3000, i -> new Page("/p/" + i + ".html", templated(i, 30)))).isEmpty();
    }

    @Test
    void aListOfPagesOnASiteThatHasOthersIsNoTrap() {
        assertThat(changes(3000, i -> new Page("/" + i, templated(i % 4 == 0 ? i : i % 3, 150)))).isEmpty();
    }

    @Test
    void aSecondRunGetsTheSamePagesAgain() {
        for (int epoch = 1; epoch < 4; epoch++) {
            assertThat(changes(new CrawlRun(RUN.crawl(), epoch), 500, i -> new Page("/" + i, templated(i, 150))))
                    .isEmpty();
        }
    }

    @Test
    void aHostWhosePagesAreNewAgainIsNoTrapAnyMore() {
        assertThat(changes(300, i -> new Page("/" + i, templated(i < 150 ? 0 : i, 150)))).hasSize(2).element(1)
                .asString().startsWith("false after ");
    }

    @Test
    void errorsAndRedirectsSayNothing() {
        for (int i = 0; i < 1000; i++) {
            assertThat(
                    traps.fetched(request(RUN, HOST, "/a/b/a/b/a/b/" + i), new FetchResult(new Outcome.HttpError(404),
                            Map.of(), Body.EMPTY, Duration.ZERO, Optional.empty(), Instant.EPOCH)))
                    .isEmpty();
        }
    }

    @Test
    void theHostsInMemoryAreBoundedAndAForgottenTrapIsNoneAnyMore() {
        changes(200, i -> new Page("/" + i, "the same on every page"));
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < SpiderTraps.MOST_HOSTS; i++) {
            changes.addAll(traps.fetched(request(RUN, new HostKey("h" + i + ".test:80"), "/"), result("x")));
        }
        assertThat(changes).containsExactly(new Change(new HostOfRun(RUN, HOST), false));
    }
}
