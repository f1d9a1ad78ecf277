package io.trawl.testkit;

import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A small site on one host with one example of everything a crawler must handle, a foreign host that it links to, and
 * the expected result of a crawl as data. Needs a {@link FakeWeb} of two hosts. The expectations are for a crawl from
 * {@link #home()} that accepts only the site's own domain and calls itself Trawl.
 */
public final class SmallSite {
    private static final Charset WINDOWS = Charset.forName("windows-1252");
    private static final String NON_ASCII = "/stra%C3%9Fe/na%C3%AFve.html?gr%C3%B6%C3%9Fe=%C3%BC";
    private final FakeHost site;
    private final FakeHost foreign;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /**
     * A page that must be stored.
     *
     * @param url in normal form
     * @param depth its distance from the home page
     * @param parents the URLs that may be its parent: several if several at the same depth link to it, none for a seed
     * @param contentType without parameters
     * @param title of an HTML page; empty for others
     * @param links the value of {@code links}: absolute, in normal form, in document order, without duplicates
     * @param text whether readable text may be stored: not on a page that says noindex
     */
    public record ExpectedPage(String url, int depth, Set<String> parents, String contentType, String title,
            List<String> links, boolean text) {}

    private record Entry(String path, int depth, OutcomeKind kind, String detail, List<String> parents, String title,
            List<String> links, boolean text) {
        String contentType() {
            return title.isEmpty() ? "text/csv" : "text/html";
        }
    }

    private SmallSite(FakeHost site, FakeHost foreign) {
        this.site = site;
        this.foreign = foreign;
    }

    /** Serves the site on the first host; the second is the foreign one. */
    public static SmallSite serve(FakeWeb web) {
        SmallSite it = new SmallSite(web.host(0), web.host(1));
        it.serveForeign();
        it.serveHome();
        it.serveSecondRow();
        it.serveCharsets();
        it.serveRobots();
        it.serveRedirects();
        it.serveErrorsAndFiles();
        return it;
    }

    private void serveForeign() {
        foreign.page("/foreign.html", html("Foreign", "")).page("/home.html", html("Foreign home", ""))
                .page("/out.html", html("Out", ""));
    }

    private void serveHome() {
        String body = """
                <p><a href="a.html">relative</a> <a href="/b.html">from the root</a> <a href="/b.html#part">with a fragment</a>
                <a href="%s/c.html">absolute</a> <a href="%s/c.html">again</a> <a href="/./x/../%%63.html">the same, oddly written</a></p>
                <p><a href="/missing.html">404</a> <a href="/broken.html">500</a> <a href="/data.csv">no HTML</a>
                <a href="%s">another domain</a> <a href="/private/secret.html">forbidden</a> <a href="/private/open.html">allowed again</a>
                <a rel="noopener nofollow" href="/nofollow.html">nofollow</a> <a rel=nofollow href="/both.html">nofollow here only</a>
                <a href="/moved.html">redirect</a> <a href="/moved-out.html">redirect out</a> <a href="/chain-1.html">redirects</a>
                <a href="/straße/naïve.html?größe=ü">non-ASCII</a> <a href="/stra%%c3%%9fe/na%%C3%%AFve.html?gr%%C3%%B6%%C3%%9Fe=%%C3%%BC">encoded</a></p>
                <p><a href="/unknown-charset.html">1</a> <a href="/lying-charset.html">2</a> <a href="/meta-nofollow.html">3</a>
                <a href="/header-nofollow.html">4</a> <a href="/noindex.html">5</a> <a href="/">self</a> <a href="">self</a> <a href="#top">self</a></p>
                <p><a href="mailto:x@example.org">mail</a> <a href="javascript:void(0)">script</a> <a href="http://[bad/">bad</a> <a name="x">none</a></p>
                <map name="m"><area href="/area.html"></map><iframe src="/frame.html"></iframe>
                """
                .formatted(site.url(""), site.url(""), foreign.url("/foreign.html"));
        List<String> links = absolute("/a.html", "/b.html", "/c.html", "/missing.html", "/broken.html", "/data.csv",
                foreign.url("/foreign.html"), "/private/secret.html", "/private/open.html", "/nofollow.html",
                "/both.html", "/moved.html", "/moved-out.html", "/chain-1.html", NON_ASCII, "/unknown-charset.html",
                "/lying-charset.html", "/meta-nofollow.html", "/header-nofollow.html", "/noindex.html", "/",
                "/area.html", "/frame.html");
        page("/", 0, List.of(), "Home", body, links);
    }

    private void serveSecondRow() {
        List<String> home = List.of("/");
        page("/a.html", 1, home, "A",
                "<a href='shared.html'>s</a> <a href='both.html'>b</a> <a href='a/deep-2.html'>d</a>",
                absolute("/shared.html", "/both.html", "/a/deep-2.html"));
        String canonical = "<link rel=canonical href='/b.html?canonical'>";
        List<String> links = absolute("/shared.html", "/b.html");
        add(new Entry("/b.html", 1, OutcomeKind.PAGE, "200", home, "B", links, true));
        site.page("/b.html", html("B", canonical, "<a href='../shared.html#x'>s</a> <a href='b.html'>self</a>"));
        page("/c.html", 1, home, "C", "<base href='/a/'><a href='deep-2.html'>d</a>", absolute("/a/deep-2.html"));
        page("/area.html", 1, home, "Area", "", List.of());
        page("/frame.html", 1, home, "Frame", "", List.of());
        page(NON_ASCII, 1, home, "Straße", "<a href='übung.html'>u</a>", absolute("/stra%C3%9Fe/%C3%BCbung.html"));
        page("/stra%C3%9Fe/%C3%BCbung.html", 2, List.of(NON_ASCII), "Übung", "", List.of());
        page("/shared.html", 2, List.of("/a.html", "/b.html"), "Shared", "<a href='/deep-3.html'>d</a>",
                absolute("/deep-3.html"));
        page("/both.html", 2, List.of("/a.html"), "Both", "", List.of());
        page("/a/deep-2.html", 2, List.of("/a.html", "/c.html"), "Deep 2", "<a href='../deep-3.html'>d</a>",
                absolute("/deep-3.html"));
        page("/deep-3.html", 3, List.of("/shared.html", "/a/deep-2.html"), "Deep 3", "<a href='deep-4.html'>d</a>",
                absolute("/deep-4.html"));
        page("/deep-4.html", 4, List.of("/deep-3.html"), "Deep 4", "<a href='/'>home</a>", absolute("/"));
    }

    private void serveCharsets() {
        String real = "<meta charset=windows-1252>";
        add(new Entry("/unknown-charset.html", 1, OutcomeKind.PAGE, "200", List.of("/"), "Übergröße",
                absolute("/from-charset.html"), true));
        site.route("/unknown-charset.html", Behaviours.wrongCharset(
                html("Übergröße", real, "<a href='from-charset.html'>f</a>"), "no-such-charset", WINDOWS));
        // The header wins over the meta element, as in browsers, if the bytes are valid in its charset: otherwise the
        // declaration is ignored and no text is lost.
        add(new Entry("/lying-charset.html", 1, OutcomeKind.PAGE, "200", List.of("/"), "Über",
                absolute("/from-charset.html"), true));
        site.route("/lying-charset.html",
                Behaviours.wrongCharset(html("Über", real, "<a href='from-charset.html'>f</a>"), "utf-8", WINDOWS));
        page("/from-charset.html", 2, List.of("/unknown-charset.html", "/lying-charset.html"), "From charset", "",
                List.of());
    }

    private void serveRobots() {
        site.robots("User-agent: *\nDisallow: /private/\nAllow: /private/open.html\n");
        refused("/private/secret.html");
        page("/private/open.html", 1, List.of("/"), "Open", "", List.of());
        add(new Entry("/meta-nofollow.html", 1, OutcomeKind.PAGE, "200", List.of("/"), "Meta", absolute("/hidden.html"),
                true));
        site.page("/meta-nofollow.html",
                html("Meta", "<meta name=ROBOTS content='NoFollow'>", "<a href='hidden.html'>h</a>"));
        add(new Entry("/header-nofollow.html", 1, OutcomeKind.PAGE, "200", List.of("/"), "Header",
                absolute("/hidden.html"), true));
        site.route("/header-nofollow.html",
                Behaviours.page(html("Header", "<a href='hidden.html'>h</a>"), Map.of("X-Robots-Tag", "nofollow")));
        add(new Entry("/noindex.html", 1, OutcomeKind.PAGE, "200", List.of("/"), "Noindex",
                absolute("/from-noindex.html"), false));
        site.page("/noindex.html", html("Noindex", "<meta name=robots content=noindex>",
                "<p>not to be kept</p><a href='from-noindex.html'>f</a>"));
        page("/from-noindex.html", 2, List.of("/noindex.html"), "From noindex", "", List.of());
        // Never fetched: only links that must not be followed lead here.
        site.page("/nofollow.html", html("Nofollow", "")).page("/hidden.html", html("Hidden", ""))
                .page("/private/secret.html", html("Secret", ""));
    }

    private void serveRedirects() {
        redirect("/moved.html", 1, 301, "target.html");
        page("/target.html", 1, List.of("/moved.html"), "Target", "<a href='deep-from-target.html'>d</a>",
                absolute("/deep-from-target.html"));
        page("/deep-from-target.html", 2, List.of("/target.html"), "From target", "", List.of());
        redirect("/chain-1.html", 1, 302, "/chain-2.html");
        redirect("/chain-2.html", 1, 307, site.url("/chain-3.html?x=1#f"));
        redirect("/chain-3.html?x=1", 1, 308, "chain-end.html");
        page("/chain-end.html", 1, List.of("/chain-3.html?x=1"), "End of the chain", "", List.of());
        redirect("/moved-out.html", 1, 302, foreign.url("/out.html"));
        site.redirect("/leaves.html", foreign.url("/home.html"));
    }

    private void serveErrorsAndFiles() {
        add(new Entry("/missing.html", 1, OutcomeKind.HTTP_ERROR, "404", List.of("/"), "", List.of(), false));
        add(new Entry("/broken.html", 1, OutcomeKind.HTTP_ERROR, "500", List.of("/"), "", List.of(), false));
        site.route("/broken.html", Behaviours.serverError());
        add(new Entry("/data.csv", 1, OutcomeKind.PAGE, "200", List.of("/"), "", List.of(), true));
        site.route("/data.csv", Behaviours.bytes("text/csv",
                "a,b\n1,<a href='/hidden.html'>no link</a>\n".getBytes(StandardCharsets.UTF_8)));
    }

    private void page(String path, int depth, List<String> parents, String title, String body, List<String> links) {
        add(new Entry(path, depth, OutcomeKind.PAGE, "200", parents, title, links, true));
        site.page(path, html(title, body));
    }

    private void redirect(String path, int depth, int status, String location) {
        add(new Entry(path, depth, OutcomeKind.REDIRECT, Integer.toString(status), List.of(), "", List.of(), false));
        site.route(path, Behaviours.redirect(status, location));
    }

    private void refused(String path) {
        add(new Entry(path, 1, OutcomeKind.REFUSED, RefusalReason.ROBOTS.name(), List.of("/"), "", List.of(), false));
    }

    private void add(Entry entry) {
        entries.put(entry.path(), entry);
    }

    private static String html(String title, String body) {
        return html(title, "", body);
    }

    private static String html(String title, String head, String body) {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head>" + head + "<title>" + title + "</title></head><body><h1>"
                + title + "</h1>\n" + body + "</body></html>\n";
    }

    private List<String> absolute(String... pathsOrUrls) {
        List<String> urls = new ArrayList<>();
        for (String p : pathsOrUrls) {
            urls.add(p.startsWith("/") ? site.url(p) : p);
        }
        return List.copyOf(urls);
    }

    /** The page from which everything else is reached. */
    public String home() {
        return site.url("/");
    }

    /** The domain to accept. */
    public String domain() {
        return site.address();
    }

    /** Other ways to write {@link #home()}: as seeds they add nothing. */
    public List<String> homeAgain() {
        return List.of(site.url("/#top"), site.url(""), "HTTP://" + site.name() + "/x/..");
    }

    /**
     * A seed that redirects out of scope: its target is not fetched, and it is reported as a stray seed. The other
     * expectations do not include it.
     */
    public String leavingSeed() {
        return site.url("/leaves.html");
    }

    /** The target of {@link #leavingSeed()}. */
    public String leavingTarget() {
        return foreign.url("/home.html");
    }

    /** The domain that would have to be accepted for {@link #leavingTarget()}. */
    public String foreignDomain() {
        return foreign.address();
    }

    /** The pages that must be stored, by URL; exactly these. */
    public Map<String, ExpectedPage> expectedPages(int depth) {
        return within(depth, OutcomeKind.PAGE).collect(Collectors.toMap(e -> site.url(e.path()), this::expected));
    }

    private ExpectedPage expected(Entry e) {
        return new ExpectedPage(site.url(e.path()), e.depth(), Set.copyOf(absolute(e.parents().toArray(String[]::new))),
                e.contentType(), e.title(), e.links(), e.text());
    }

    /** The URLs that must be reported as errors, with their kind: {@code HTTP_ERROR 404}. */
    public Map<String, String> expectedErrors(int depth) {
        return within(depth, OutcomeKind.HTTP_ERROR)
                .collect(Collectors.toMap(e -> site.url(e.path()), e -> e.kind() + " " + e.detail()));
    }

    /** The URLs that are answered by a redirect: neither item nor error. */
    public Set<String> expectedRedirects(int depth) {
        return urls(depth, OutcomeKind.REDIRECT);
    }

    /** The URLs that become requests and are then refused by robots.txt. */
    public Set<String> expectedRobotsRefusals(int depth) {
        return urls(depth, OutcomeKind.REFUSED);
    }

    /** The links and redirect targets that are refused for their domain. */
    public Set<String> expectedOutOfScope(int depth) {
        return depth < 1 ? Set.of() : Set.of(foreign.url("/foreign.html"), foreign.url("/out.html"));
    }

    /** Every URL that is fetched, exactly once if its status is below 500; without robots.txt. */
    public Set<String> expectedFetches(int depth) {
        return entries.values().stream().filter(e -> e.depth() <= depth && e.kind() != OutcomeKind.REFUSED)
                .map(e -> site.url(e.path())).collect(Collectors.toUnmodifiableSet());
    }

    /** The number of URLs per outcome that must be answered at least once. */
    public Map<OutcomeKind, Long> expectedOutcomes(int depth) {
        return entries.values().stream().filter(e -> e.depth() <= depth)
                .collect(Collectors.groupingBy(Entry::kind, Collectors.counting()));
    }

    /** URLs that no crawl of the site may fetch, at any depth. */
    public Set<String> neverFetched() {
        return Set.copyOf(absolute("/nofollow.html", "/hidden.html", "/private/secret.html",
                foreign.url("/foreign.html"), foreign.url("/out.html"), foreign.url("/home.html")));
    }

    private Set<String> urls(int depth, OutcomeKind kind) {
        return within(depth, kind).map(e -> site.url(e.path())).collect(Collectors.toUnmodifiableSet());
    }

    private Stream<Entry> within(int depth, OutcomeKind kind) {
        return entries.values().stream().filter(e -> e.depth() <= depth && e.kind() == kind);
    }
}
