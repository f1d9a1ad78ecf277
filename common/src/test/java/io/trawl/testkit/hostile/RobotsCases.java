package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.FORBIDDEN;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.answering;
import static io.trawl.testkit.hostile.HostileCorpus.either;
import static io.trawl.testkit.hostile.HostileCorpus.failure;
import static io.trawl.model.FailureReason.CONNECT;
import static io.trawl.model.FailureReason.PROTOCOL;
import static io.trawl.model.FailureReason.ROBOTS;
import static io.trawl.model.FailureReason.TIMEOUT;
import static io.trawl.model.FailureReason.TOO_LARGE;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hosts whose robots.txt is the attack; each has one page. A host whose file is unreachable is not fetched from (RFC
 * 9309, 2.3.1.4).
 */
final class RobotsCases {
    private static final String ALL = "User-agent: *\n";
    /** What a crawler has to read (RFC 9309, 2.5). */
    private static final int FLOOR = 500 * 1024;

    private RobotsCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.ROBOTS);
        rules(cases);
        texts(cases);
        statuses(cases);
        redirects(cases);
        connections(cases);
        return cases.list();
    }

    private static HostileServer page(HostileServer robots) {
        return answering(robots, (wire, _) -> wire.page("<title>own</title>"));
    }

    /** Answers with this file. */
    private static HostileServer file(String text, String... fields) {
        return page(wire -> wire.answer("200 OK", text.getBytes(StandardCharsets.UTF_8), fields));
    }

    private static String rules(String pattern, int count) {
        return IntStream.range(0, count).mapToObj(i -> "Disallow: " + pattern.replace("#", Integer.toString(i)))
                .collect(Collectors.joining("\n", ALL, "\n"));
    }

    private static void rules(Cases cases) {
        cases.add("rules-40000-wildcards", "40,000 rules with wildcards that do not apply", either(PAGE, FORBIDDEN),
                file(rules("/*a*b#", 40_000)))
                .add("rules-with-40-wildcards", "5,000 rules with 40 wildcards each", either(PAGE, FORBIDDEN),
                        file(rules("/" + "*-".repeat(40) + "#", 5_000)))
                .add("rules-of-wildcards-only", "rules of 1,000 asterisks", FORBIDDEN,
                        file(rules("/" + "*".repeat(1_000), 400)))
                .add("rule-of-400-kb", "one rule of 400 KB", PAGE,
                        file(ALL + "Disallow: /" + "x".repeat(400_000) + "\n"))
                .add("rule-at-the-end-of-500-kib", "the rule that applies is the last line of 500 KiB", FORBIDDEN,
                        file(padded("Disallow: /rule-at\n")))
                .add("rule-at-the-beginning-of-10-mb", "the rule that applies is the first of 10 MB", FORBIDDEN,
                        page(wire -> wire.answer("200 OK",
                                (ALL + "Disallow: /rule-at\n" + "# comment\n".repeat(1_000_000))
                                        .getBytes(StandardCharsets.UTF_8))))
                .add("groups-20000", "20,000 groups for other crawlers, then one for all", FORBIDDEN,
                        file(IntStream.range(0, 20_000).mapToObj(i -> "User-agent: b" + i + "\n")
                                .collect(Collectors.joining()) + "Disallow: /x\n\n" + ALL + "Disallow: /groups\n"))
                .add("percent-signs", "rules of 100,000 percent signs", PAGE,
                        file(ALL + "Disallow: /" + "%".repeat(100_000) + "\n"))
                .add("sitemaps-10000", "10,000 sitemaps, which a crawl of links alone does not read", PAGE,
                        file("Sitemap: /sitemap.xml\n".repeat(10_000)))
                .but(c -> c.atMost(2))
                .add("crawl-delay-huge", "Crawl-delay: 10^18", PAGE, file(ALL + "Crawl-delay: 1000000000000000000\n"))
                .add("crawl-delay-negative", "Crawl-delay: -5", PAGE, file(ALL + "Crawl-delay: -5\n"))
                .add("crawl-delay-no-number", "Crawl-delay: NaN", PAGE, file(ALL + "Crawl-delay: NaN\n"))
                .add("crawl-delay-infinite", "Crawl-delay: 1e999", PAGE, file(ALL + "Crawl-delay: 1e999\n"));
    }

    /** Exactly the floor, with this line at the end. */
    private static String padded(String last) {
        StringBuilder text = new StringBuilder(ALL);
        while (text.length() + 120 + last.length() < FLOOR) {
            text.append("Disallow: /").append("x".repeat(88)).append('\n');
        }
        text.append("#").append("x".repeat(FLOOR - last.length() - text.length() - 2)).append('\n');
        return text.append(last).toString();
    }

    private static void texts(Cases cases) {
        cases.add("robots-is-html", "a page of HTML instead of a file", PAGE,
                file("<!DOCTYPE html><p>" + "x ".repeat(100_000), "Content-Type: text/html"))
                .add("robots-is-binary", "300 KB of random bytes", PAGE,
                        page(wire -> wire.answer("200 OK", noise(300_000))))
                .add("robots-with-nul", "NUL bytes between the lines", FORBIDDEN,
                        file(ALL + "\0\0\n" + "Disallow: /\n"))
                .add("robots-with-bom", "a byte order mark before the first line", FORBIDDEN,
                        file("\ufeff" + ALL + "Disallow: /\n"))
                .add("robots-with-carriage-returns", "lines that end with a carriage return", FORBIDDEN,
                        file((ALL + "Disallow: /\n").replace('\n', '\r')))
                .add("robots-one-line-of-500-kib", "500 KiB without a line end", PAGE, file("x".repeat(FLOOR)))
                .add("robots-of-blank-lines", "a rule, then 500 KiB of blank lines", FORBIDDEN,
                        file(ALL + "Disallow: /\n" + "\n".repeat(FLOOR - 30)))
                .add("robots-gzip-bomb", "16 MiB of zeros in gzip", PAGE,
                        page(wire -> wire.answer("200 OK", EncodingCases.gzip(new byte[16 << 20]),
                                "Content-Encoding: gzip")))
                .add("robots-broken-gzip", "text that claims to be gzip", failure(PROTOCOL),
                        file(ALL + "Disallow: /\n", "Content-Encoding: gzip"));
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static void statuses(Cases cases) {
        for (int status : new int[]{401, 403, 404, 410}) {
            cases.add("robots-" + status, "robots.txt answers " + status + ": everything is allowed", PAGE,
                    answers(status));
        }
        for (int status : new int[]{429, 500, 503, 599}) {
            cases.add("robots-" + status, "robots.txt answers " + status + ": nothing is fetched", failure(ROBOTS),
                    answers(status)).but(c -> c.atMost(2));
        }
        cases.add("robots-204", "robots.txt answers 204", PAGE,
                page(wire -> wire.send("HTTP/1.1 204 No Content\r\n\r\n")))
                .add("robots-status-999", "robots.txt answers 999: nothing is fetched", failure(ROBOTS), answers(999));
    }

    private static HostileServer answers(int status) {
        return page(wire -> wire.answer(status + " Whatever", new byte[0]));
    }

    private static HostileServer leads(String target) {
        return page(wire -> wire.answer("302 Found", new byte[0], "Location: " + target));
    }

    private static void redirects(Cases cases) {
        cases.add("robots-redirects-to-itself",
                "redirects robots.txt to itself: more than five redirects (RFC 9309, 2.3.1.2)", PAGE,
                leads("/robots.txt"))
                .add("robots-redirects-without-end", "redirects robots.txt to ever new paths", PAGE, endlessly())
                .add("robots-redirects-without-location", "redirects robots.txt without a Location", failure(ROBOTS),
                        page(wire -> wire.send("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")))
                .add("robots-redirects-to-closed-address",
                        "redirects robots.txt to an address that Trawl may not connect to", failure(PROTOCOL),
                        page(wire -> wire.answer("302 Found", new byte[0],
                                "Location: http://" + wire.web().address("closed") + "/robots.txt")))
                .add("robots-redirects-to-metadata", "redirects robots.txt to 169.254.169.254", failure(PROTOCOL),
                        leads("http://169.254.169.254/latest/meta-data/"))
                .add("robots-redirects-to-ftp", "redirects robots.txt to ftp:", failure(PROTOCOL),
                        leads("ftp://127.0.0.1/robots.txt"))
                .add("robots-redirects-to-file", "redirects robots.txt to file:", failure(PROTOCOL),
                        leads("file:///etc/passwd"))
                .add("robots-redirects-to-nonsense", "redirects robots.txt to no URL", failure(PROTOCOL),
                        leads("http://[::bad/"))
                .add("robots-redirects-to-closed-port", "redirects robots.txt to a port where no server listens",
                        failure(CONNECT),
                        page(wire -> wire.answer("302 Found", new byte[0],
                                "Location: http://" + wire.web().address("refuses-connections") + "/other.txt")))
                .add("robots-redirects-to-500", "redirects robots.txt to a 500", failure(ROBOTS),
                        page(wire -> wire.answer("302 Found", new byte[0],
                                "Location: http://" + wire.web().address("robots-500") + "/robots.txt")))
                .add("robots-redirects-to-1-mb", "redirects robots.txt to a Location of 1 MB", failure(TOO_LARGE),
                        leads("/" + "x".repeat(1_000_000)));
    }

    private static HostileServer endlessly() {
        return wire -> {
            for (String path = wire.request(); !path.isEmpty(); path = wire.request()) {
                if (path.startsWith("/robots") && !path.startsWith("/robots-")) {
                    wire.answer("302 Found", new byte[0], "Location: " + path + "x");
                } else {
                    wire.page("<title>own</title>");
                }
            }
        };
    }

    private static void connections(Cases cases) {
        cases.add("robots-silent", "stays silent when it is asked for robots.txt", failure(TIMEOUT),
                page(Wire::silence))
                .add("robots-drips", "sends robots.txt a byte at a time", failure(TIMEOUT), page(wire -> {
                    wire.begin("Content-Length: 1000000");
                    wire.drip("#");
                }))
                .add("robots-closes", "closes when it is asked for robots.txt", failure(CONNECT),
                        wire -> wire.request())
                .add("robots-closes-in-body", "closes within robots.txt", failure(PROTOCOL), wire -> {
                    wire.request();
                    wire.begin("Content-Length: 1000");
                }).add("robots-without-end", "rules without end, the first of which applies", FORBIDDEN, page(wire -> {
                    wire.begin("Connection: close");
                    wire.send(ALL + "Disallow: /robots\n");
                    wire.sendForEver("Disallow: /x\n");
                }))
                .add("robots-interim-answers", "100 Continue without end instead of robots.txt",
                        failure(PROTOCOL, TOO_LARGE), page(wire -> wire.sendForEver("HTTP/1.1 100 Continue\r\n\r\n")))
                .add("robots-endless-headers", "header lines without end before robots.txt", failure(TOO_LARGE),
                        page(wire -> {
                            wire.send("HTTP/1.1 200 OK\r\n");
                            wire.sendForEver("X-Many: x\r\n");
                        }));
    }
}
