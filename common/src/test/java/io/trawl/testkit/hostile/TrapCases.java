package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.answering;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sites whose links never end; only the depth of the crawl ends them. Each page has the links of the next level. */
final class TrapCases {
    /** With two links per page and the depth of the test, 5: robots.txt, and 1 + 2 + 4 + 8 + 16 pages. */
    private static final int PAGES_OF_TWO_LINKS = 32;

    private TrapCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.TRAPS);
        trap(cases, "trap-calendar", "a calendar with a next month and a next year", path -> {
            int month = path.startsWith("/trap-calendar?m=")
                    ? Integer.parseInt(path.substring(path.indexOf('=') + 1))
                    : 0;
            return link("?m=" + (month + 1)) + link("?m=" + (month + 12));
        });
        trap(cases, "trap-session-ids", "links with a new session id on each page",
                path -> link("/s;jsessionid=" + hash(path, 1)) + link("/s;jsessionid=" + hash(path, 2)));
        trap(cases, "trap-longer-paths", "relative links into ever deeper folders",
                path -> link(path + "/a/") + link(path + "/b/"));
        trap(cases, "trap-repeating-paths", "links that repeat the path",
                path -> link(path + path) + link(path + path + "/x"));
        trap(cases, "trap-queries", "a query with one more parameter on each page", path -> {
            String query = path + (path.contains("?") ? "&" : "?");
            return link(query + "a=" + path.length()) + link(query + "b=" + path.length());
        });
        trap(cases, "trap-facets", "filters in every order", path -> {
            String query = path + (path.contains("?") ? "&" : "?");
            return link(query + "colour=red") + link(query + "size=9");
        });
        trap(cases, "trap-case", "paths that differ in upper and lower case",
                path -> link(path + "/A") + link(path + "/a"));
        trap(cases, "trap-fragments", "links that differ by their fragments",
                path -> link("#" + path.length()) + link("#x"));
        trap(cases, "trap-print-versions", "a print version of each page, and of each print version",
                path -> link(path + "/print") + link(path + "/mobile"));
        cases.add("trap-redirects", "each page links to two redirects to new pages", PAGE, answering((wire, path) -> {
            if (path.endsWith("/go")) {
                wire.answer("302 Found", new byte[0], "Location: " + path.substring(0, path.length() - 3) + "/to");
            } else {
                wire.page("<title>own</title>" + link(path + "1/go") + link(path + "2/go"));
            }
        })).but(c -> c.titled("own").atMost(2 * PAGES_OF_TWO_LINKS));
        return cases.list();
    }

    private static void trap(Cases cases, String name, String does, UnaryOperator<String> links) {
        cases.add(name, does, PAGE, answering((wire, path) -> wire.page("<title>own</title>" + links.apply(path))))
                .but(c -> c.titled("own").atMost(PAGES_OF_TWO_LINKS));
    }

    private static String link(String url) {
        return "<a href=\"" + url + "\">next</a>\n";
    }

    private static String hash(String path, int salt) {
        return Integer.toHexString(path.hashCode() * 31 + salt);
    }
}
