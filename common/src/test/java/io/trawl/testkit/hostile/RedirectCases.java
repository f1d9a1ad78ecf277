package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.NONE;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.answering;
import static io.trawl.testkit.hostile.HostileCorpus.either;
import static io.trawl.testkit.hostile.HostileCorpus.failure;
import static io.trawl.testkit.hostile.HostileCorpus.status;
import static io.trawl.model.FailureReason.CONNECT;
import static io.trawl.model.FailureReason.PROTOCOL;
import static io.trawl.model.FailureReason.REDIRECTS;
import static io.trawl.model.FailureReason.TLS;
import static io.trawl.model.FailureReason.TOO_LARGE;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.util.List;

/**
 * Redirects that go round, go on for ever, or lead where a crawler must not go. A redirect itself is neither page nor
 * error.
 */
final class RedirectCases {
    /** The hop after the longest chain that the analyzer follows, ten redirects. */
    private static final int ONE_TOO_MANY = 10;

    private RedirectCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.REDIRECTS);
        circles(cases);
        closed(cases);
        schemes(cases);
        oddities(cases);
        return cases.list();
    }

    /** Redirects the path of the case, and answers others with a page. */
    private static HostileServer leads(String name, String location) {
        return answering((wire, path) -> {
            if (path.equals("/" + name) || path.startsWith("/" + name + "?round=")) {
                wire.answer("302 Found", new byte[0], "Location: " + location);
            } else {
                wire.page("<title>own</title>");
            }
        });
    }

    private static void circles(Cases cases) {
        cases.add("redirect-to-itself", "redirects to itself", failure(REDIRECTS),
                leads("redirect-to-itself", "/redirect-to-itself")).but(c -> c.atMost(2))
                .add("redirect-circle", "redirects to a path that redirects back", NONE,
                        answering((wire, path) -> wire.answer("302 Found", new byte[0],
                                "Location: /redirect-circle" + (path.endsWith("/b") ? "" : "/b"))))
                .but(c -> c.atMost(3))
                .add("redirect-chain-of-5", "five redirects, then a page", PAGE, chain("redirect-chain-of-5", 5))
                .but(c -> c.watching("/redirect-chain-of-5/5").titled("own"))
                .add("redirect-chain-of-30", "thirty redirects, then a page", failure(REDIRECTS),
                        chain("redirect-chain-of-30", 30))
                .but(c -> c.watching("/redirect-chain-of-30/" + ONE_TOO_MANY).atMost(13))
                .add("redirect-chain-without-end", "redirects to ever new paths", failure(REDIRECTS),
                        chain("redirect-chain-without-end", Integer.MAX_VALUE))
                .but(c -> c.watching("/redirect-chain-without-end/" + ONE_TOO_MANY).atMost(13))
                .add("redirect-grows", "redirects to itself with a longer query", failure(REDIRECTS),
                        answering((wire, path) -> wire.answer("301 Moved Permanently", new byte[0],
                                "Location: " + path + (path.contains("?") ? "x" : "?x"))))
                .but(c -> c.watching("/redirect-grows?" + "x".repeat(ONE_TOO_MANY)).atMost(13));
    }

    /** The path of a case, then the same with /1, /2 and so on. */
    private static HostileServer chain(String name, int length) {
        return answering((wire, path) -> {
            int hop = path.startsWith("/" + name + "/")
                    ? Integer.parseInt(path.substring(path.lastIndexOf('/') + 1))
                    : 0;
            if (hop < length) {
                wire.answer("302 Found", new byte[0], "Location: /" + name + "/" + (hop + 1));
            } else {
                wire.page("<title>own</title>");
            }
        });
    }

    private static void closed(Cases cases) {
        closed(cases, "closed-address", "an address that Trawl may not connect to", HostileWeb.CLOSED);
        closed(cases, "decimal-address", "the same, as a decimal number", "2134245377");
        closed(cases, "hexadecimal-address", "the same, as a hexadecimal number", "0x7f420001");
        closed(cases, "octal-address", "the same, in octal parts", "0177.0102.0.1");
        closed(cases, "short-address", "the same, in two parts", "127.4325377");
        closed(cases, "mapped-address", "the same, as an IPv6 address", "[::ffff:127.66.0.1]");
        closed(cases, "full-width-address", "the same, in full-width digits", "%EF%BC%91%EF%BC%92%EF%BC%97.66.0.1");
        cases.add("redirect-to-metadata", "redirects to 169.254.169.254", NONE,
                leads("redirect-to-metadata", "http://169.254.169.254/latest/meta-data/"));
        cases.add("redirect-to-unspecified-address", "redirects to 0.0.0.0", NONE,
                leads("redirect-to-unspecified-address", "http://0.0.0.0/"));
        cases.add("redirect-to-closed-port", "redirects to a port where no server listens", failure(CONNECT),
                answering((wire, _) -> wire.answer("302 Found", new byte[0],
                        "Location: http://" + wire.web().address("refuses-connections") + "/from-redirect")))
                .but(c -> c.watching("http://{refuses-connections}/from-redirect"))
                .add("redirect-to-bad-certificate", "redirects to a host with an expired certificate", failure(TLS),
                        answering((wire, _) -> wire.answer("302 Found", new byte[0],
                                "Location: https://" + wire.web().address("certificate-expired") + "/from-redirect")))
                .but(c -> c.watching("https://{certificate-expired}/from-redirect"));
    }

    private static void closed(Cases cases, String name, String does, String address) {
        cases.add("redirect-to-" + name, "redirects to " + does, NONE, answering((wire, _) -> wire.answer("302 Found",
                new byte[0], "Location: http://" + address + ":" + wire.web().address("closed").split(":")[1] + "/")));
    }

    private static void schemes(Cases cases) {
        for (String location : List.of("ftp://127.0.1.1/x", "file:///etc/passwd", "javascript:alert(1)",
                "data:text/html,x", "gopher://127.0.1.1:70/x", "mailto:a@b.example", "about:blank")) {
            String name = "redirect-to-" + location.substring(0, location.indexOf(':'));
            cases.add(name, "redirects to `" + location + "`", NONE, leads(name, location)).but(c -> c.atMost(2));
        }
    }

    private static void oddities(Cases cases) {
        cases.add("redirect-without-location", "301 without a Location", status(301),
                answering((wire, _) -> wire.answer("301 Moved Permanently", new byte[0])))
                .add("redirect-to-nothing", "an empty Location", either(NONE, status(302)),
                        leads("redirect-to-nothing", ""))
                .add("redirect-to-nonsense", "a Location that is no URL", NONE,
                        leads("redirect-to-nonsense", "http://[::bad/"))
                .add("redirect-to-port-99999", "a Location with port 99999", NONE,
                        leads("redirect-to-port-99999", "http://127.0.1.1:99999/"))
                .add("redirect-to-fragment", "a Location that differs by its fragment", failure(REDIRECTS),
                        leads("redirect-to-fragment", "#fragment"))
                .add("redirect-to-query", "a Location of a query only", PAGE, leads("redirect-to-query", "?q"))
                .but(c -> c.watching("/redirect-to-query?q").titled("own"))
                .add("redirect-out-of-the-root", "a Location with more ../ than there are folders", PAGE,
                        leads("redirect-out-of-the-root", "../../../../up"))
                .but(c -> c.watching("/up").titled("own"))
                .add("redirect-with-backslashes", "a Location with backslashes", PAGE,
                        leads("redirect-with-backslashes", "\\up\\there"))
                .but(c -> c.watching("/up/there").titled("own"))
                .add("redirect-with-blanks", "a Location with blanks and tabs", PAGE,
                        leads("redirect-with-blanks", "/a b\tc"))
                .but(c -> c.watching("/a%20bc").titled("own"))
                .add("redirect-with-two-locations", "two Locations; the first counts", PAGE,
                        leads("redirect-with-two-locations", "/one\r\nLocation: /two"))
                .but(c -> c.watching("/one").titled("own").atMost(3))
                .add("redirect-of-20-kb", "a Location of 20 KB", NONE,
                        leads("redirect-of-20-kb", "/" + "x".repeat(20_000)))
                .but(c -> c.atMost(2))
                .add("redirect-of-1-mb", "a Location of 1 MB", failure(TOO_LARGE),
                        leads("redirect-of-1-mb", "/" + "x".repeat(1_000_000)))
                .add("redirect-with-endless-body", "a redirect with a body without end", PAGE,
                        answering((wire, path) -> {
                            if (path.equals("/target")) {
                                wire.page("<title>own</title>");
                                return;
                            }
                            wire.send("HTTP/1.1 302 Found\r\nLocation: /target\r\nConnection: close\r\n\r\n");
                            wire.sendForEver("x");
                        }))
                .but(c -> c.watching("/target").titled("own")).add("redirect-cut-short",
                        "a redirect whose connection closes within the headers", failure(PROTOCOL),
                        HostileCorpus.closing((wire, _) -> wire.send("HTTP/1.1 302 Found\r\nLocation: /targ")));
    }
}
