package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.answering;
import static io.trawl.testkit.hostile.HostileCorpus.closing;
import static io.trawl.testkit.hostile.HostileCorpus.either;
import static io.trawl.testkit.hostile.HostileCorpus.failure;
import static io.trawl.testkit.hostile.HostileCorpus.status;
import static io.trawl.model.FailureReason.PROTOCOL;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Servers that break the rules of HTTP messages (RFC 9112), or stretch them. */
final class ServerCases {
    private static final String HTML = "Content-Type: text/html\r\n";
    private static final String OWN = "<title>own</title>";

    private ServerCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.SERVERS);
        statusLines(cases);
        headerLines(cases);
        lengths(cases);
        chunks(cases);
        surplus(cases);
        statuses(cases);
        return cases.list();
    }

    private static HostileServer sends(String bytes) {
        return closing((wire, _) -> wire.send(bytes));
    }

    private static void statusLines(Cases cases) {
        cases.add("http-0.9", "a page without status line and headers", failure(PROTOCOL),
                sends("<title>old</title>\r\n\r\n"))
                .add("ssh-banner", "greets as an SSH server does, before any request", failure(PROTOCOL), wire -> {
                    wire.send("SSH-2.0-OpenSSH_9.6\r\n");
                    wire.silence();
                }).add("smtp-banner", "greets as a mail server does, and stays silent", failure(PROTOCOL), wire -> {
                    wire.send("220 mail.example ESMTP ready\r\n");
                    wire.silence();
                }).add("binary-answer", "random bytes", failure(PROTOCOL), sends("\0\1\2\3\377\376\r\n\r\n\7\7\7"))
                .add("status-is-a-word", "the status is a word", failure(PROTOCOL), sends("HTTP/1.1 abc OK\r\n\r\n"))
                .add("status-0", "status 000", failure(PROTOCOL),
                        sends("HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n"))
                .add("status-negative", "status -200", failure(PROTOCOL),
                        sends("HTTP/1.1 -200 OK\r\nContent-Length: 0\r\n\r\n"))
                .add("status-huge", "status 99999999999", failure(PROTOCOL),
                        sends("HTTP/1.1 99999999999 OK\r\nContent-Length: 0\r\n\r\n"))
                .add("status-999", "status 999, which some sites send to crawlers", status(999),
                        answering((wire, _) -> wire.answer("999 Denied", new byte[0])))
                .add("http-9.9", "version 9.9", failure(PROTOCOL),
                        sends("HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n"))
                .add("no-version", "a status line without version", failure(PROTOCOL),
                        sends("200 OK\r\nContent-Length: 0\r\n\r\n"))
                .add("no-reason-phrase", "a status line that ends after the status", PAGE,
                        sends("HTTP/1.1 200\r\n" + HTML + "Content-Length: 18\r\n\r\n" + OWN))
                .but(c -> c.titled("own"));
    }

    private static void headerLines(Cases cases) {
        cases.add("header-without-colon", "a header line without a colon", PAGE,
                sends("HTTP/1.1 200 OK\r\nno colon\r\n" + HTML + "Content-Length: 18\r\n\r\n" + OWN))
                .but(c -> c.titled("own"))
                .add("header-without-name", "a header line that begins with the colon", PAGE,
                        sends("HTTP/1.1 200 OK\r\n: x\r\n" + HTML + "Content-Length: 18\r\n\r\n" + OWN))
                .add("folded-header", "a header value that continues on the next line", either(PAGE, failure(PROTOCOL)),
                        sends("HTTP/1.1 200 OK\r\nX-Folded: a\r\n  b\r\n" + HTML + "Content-Length: 18\r\n\r\n" + OWN))
                .add("header-with-nul", "a NUL in a header value", either(PAGE, failure(PROTOCOL)),
                        sends("HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\n" + HTML + "Content-Length: 18\r\n\r\n" + OWN))
                .add("header-bytes-over-127", "UTF-8, Latin 1 and invalid bytes in header values", PAGE,
                        answering((wire, _) -> wire.page(OWN, "X-A: \303\244", "X-B: \344", "X-C: \377\376")))
                .add("bare-line-feeds", "lines that end without a carriage return", either(PAGE, failure(PROTOCOL)),
                        sends("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 18\n\n" + OWN))
                .add("cookies-400", "400 Set-Cookie lines", PAGE,
                        answering((wire, _) -> wire.page(OWN, "Set-Cookie: a=b\r\n".repeat(400).strip())))
                .add("content-type-of-30-kb", "a Content-Type of 30 KB of blanks and semicolons", PAGE,
                        answering((wire, _) -> wire.answer("200 OK", OWN.getBytes(StandardCharsets.UTF_8),
                                "Content-Type: text/html" + " ;".repeat(15_000))))
                .add("content-type-quadratic", "a Content-Type whose charset is 30 KB of blanks", PAGE,
                        answering((wire, _) -> wire.answer("200 OK", OWN.getBytes(StandardCharsets.UTF_8),
                                "Content-Type: text/html; charset=" + " ".repeat(30_000) + "x")))
                .add("link-header-of-30-kb", "a Link header of 30 KB of commas", PAGE,
                        answering((wire, _) -> wire.page(OWN, "Link: " + "<,".repeat(15_000))))
                .add("robots-tag-of-30-kb", "an X-Robots-Tag of 30 KB of commas and colons", PAGE,
                        answering((wire, _) -> wire.page(OWN, "X-Robots-Tag: " + " :,".repeat(10_000))));
    }

    private static void lengths(Cases cases) {
        cases.add("length-negative", "Content-Length: -1", failure(PROTOCOL), length("-1"))
                .add("length-is-a-word", "Content-Length: many", failure(PROTOCOL), length("many"))
                .add("length-over-64-bits", "a Content-Length of 21 digits", failure(PROTOCOL),
                        length("999999999999999999999"))
                .add("length-of-8-eb", "a Content-Length of 2^63 - 1, and 18 bytes", failure(PROTOCOL),
                        length("9223372036854775807"))
                .add("lengths-conflict", "two different Content-Lengths", failure(PROTOCOL),
                        length("18\r\nContent-Length: 5"))
                .add("lengths-equal", "the same Content-Length twice, and as a list", PAGE,
                        length("18\r\nContent-Length: 18, 18"))
                .but(c -> c.titled("own"))
                .add("length-and-chunks", "Content-Length and chunks; the chunks count (RFC 9112, 6.3)", PAGE,
                        sends("HTTP/1.1 200 OK\r\n" + HTML
                                + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n12\r\n" + OWN
                                + "\r\n0\r\n\r\n"))
                .but(c -> c.titled("own")).add("trailer-without-colon",
                        "a line without a colon among the trailers of chunks", PAGE, sends("HTTP/1.1 200 OK\r\n" + HTML
                                + "Transfer-Encoding: chunked\r\n\r\n12\r\n" + OWN + "\r\n0\r\nno colon\r\n\r\n"))
                .but(c -> c.titled("own"));
    }

    private static HostileServer length(String length) {
        return sends("HTTP/1.1 200 OK\r\n" + HTML + "Content-Length: " + length + "\r\n\r\n" + OWN);
    }

    private static void chunks(Cases cases) {
        cases.add("chunk-size-negative", "a chunk of size -5", failure(PROTOCOL), chunked("-5\r\nbegin\r\n0\r\n\r\n"))
                .add("chunk-size-is-a-word", "a chunk size that is no number", failure(PROTOCOL),
                        chunked("size\r\nbegin\r\n"))
                .add("chunk-size-empty", "an empty line instead of a chunk size", failure(PROTOCOL),
                        chunked("\r\nbegin\r\n0\r\n\r\n"))
                .add("chunk-size-over-64-bits", "a chunk size of 20 hexadecimal digits", failure(PROTOCOL),
                        chunked("fffffffffffffffffff5\r\nbegin\r\n0\r\n\r\n"))
                .add("chunk-longer-than-its-size", "a chunk that is longer than its size", failure(PROTOCOL),
                        chunked("2\r\nbegin\r\n0\r\n\r\n"))
                .add("chunks-of-one-byte", "a page of 100 KB in chunks of one byte", PAGE,
                        chunked("12\r\n" + OWN + "\r\n" + "1\r\nx\r\n".repeat(100_000) + "0\r\n\r\n"))
                .but(c -> c.titled("own"))
                .add("transfer-encoding-unknown", "Transfer-Encoding: snake", either(PAGE, failure(PROTOCOL)),
                        sends("HTTP/1.1 200 OK\r\n" + HTML + "Transfer-Encoding: snake\r\n\r\n" + OWN))
                .add("transfer-encoding-identity", "Transfer-Encoding: identity, which is none", PAGE,
                        sends("HTTP/1.1 200 OK\r\n" + HTML + "Transfer-Encoding: identity\r\nContent-Length: 18\r\n\r\n"
                                + OWN))
                .but(c -> c.titled("own")).add("chunked-twice", "Transfer-Encoding: chunked, chunked",
                        either(PAGE, failure(PROTOCOL)), sends("HTTP/1.1 200 OK\r\n" + HTML
                                + "Transfer-Encoding: chunked, chunked\r\n\r\n12\r\n" + OWN + "\r\n0\r\n\r\n"));
    }

    private static HostileServer chunked(String body) {
        return sends("HTTP/1.1 200 OK\r\n" + HTML + "Transfer-Encoding: chunked\r\n\r\n" + body);
    }

    private static void surplus(Cases cases) {
        String forged = "HTTP/1.1 200 OK\r\n" + HTML + "Content-Length: 21\r\n\r\n<title>forged</title>";
        cases.add("forged-second-answer", "a second answer after the first, on the kept connection", PAGE,
                answering((wire, path) -> {
                    wire.page(OWN + (path.endsWith("/next") ? "" : "<a href=/forged-second-answer/next>next</a>"));
                    wire.send(forged);
                })).but(c -> c.watching("/forged-second-answer/next").titled("own"))
                .add("surplus-bytes", "1 MB after the end of the answer", PAGE, answering((wire, path) -> {
                    wire.page(OWN + (path.endsWith("/next") ? "" : "<a href=/surplus-bytes/next>next</a>"));
                    wire.send("x".repeat(1_000_000));
                })).but(c -> c.watching("/surplus-bytes/next").titled("own"))
                .add("no-content-with-body", "204 with a body", PAGE, closing(
                        (wire, _) -> wire.answer("204 No Content", "surprise".getBytes(StandardCharsets.UTF_8))))
                .add("not-modified", "304 to a request without conditions", status(304),
                        closing((wire, _) -> wire.send("HTTP/1.1 304 Not Modified\r\n\r\n")))
                .add("partial-content", "206 to a request without a range", failure(PROTOCOL),
                        answering((wire, _) -> wire.answer("206 Partial Content", OWN.getBytes(StandardCharsets.UTF_8),
                                "Content-Type: text/html", "Content-Range: bytes 0-17/1000000")));
    }

    private static void statuses(Cases cases) {
        cases.add("retry-after-for-ever", "429 with a Retry-After of 10^18 seconds", status(429), answering(
                (wire, _) -> wire.answer("429 Too Many Requests", new byte[0], "Retry-After: 1000000000000000000")))
                .add("retry-after-in-9999", "503 with a Retry-After in the year 9999", status(503),
                        answering((wire, _) -> wire.answer("503 Service Unavailable", new byte[0],
                                "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT")))
                .add("retry-after-garbage", "503 with a Retry-After of 20 KB", status(503),
                        answering((wire, _) -> wire.answer("503 Service Unavailable", new byte[0],
                                "Retry-After: " + "9".repeat(20_000))))
                .add("asks-for-a-password", "401 with a challenge of 20 KB", status(401),
                        answering((wire, _) -> wire.answer("401 Unauthorized", new byte[0],
                                "WWW-Authenticate: Basic realm=\"" + "x".repeat(20_000) + "\"")))
                .add("asks-for-a-proxy-password", "407 without a proxy", status(407), answering((wire, _) -> wire
                        .answer("407 Proxy Authentication Required", new byte[0], "Proxy-Authenticate: Basic")));
    }
}
