package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.CUT;
import static io.trawl.testkit.hostile.HostileCorpus.CLOSED_PORT;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.answering;
import static io.trawl.testkit.hostile.HostileCorpus.closing;
import static io.trawl.testkit.hostile.HostileCorpus.failure;
import static io.trawl.testkit.hostile.HostileCorpus.status;
import static io.trawl.model.FailureReason.CONNECT;
import static io.trawl.model.FailureReason.PROTOCOL;
import static io.trawl.model.FailureReason.TIMEOUT;
import static io.trawl.model.FailureReason.TOO_LARGE;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.util.List;

/** Servers that are silent, slow or gone, or that never stop. */
final class ConnectionCases {
    private static final String X = "x".repeat(4096);
    private static final String CHUNKED = "Transfer-Encoding: chunked";

    private ConnectionCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.SERVERS);
        gone(cases);
        slow(cases);
        endless(cases);
        interim(cases);
        return cases.list();
    }

    private static void gone(Cases cases) {
        cases.add("refuses-connections", "no server listens on the port", failure(CONNECT), CLOSED_PORT)
                .add("closes-at-once", "closes each connection at once", failure(CONNECT), _ -> {})
                .add("resets-at-once", "resets each connection at once", failure(CONNECT), Wire::reset)
                .add("closes-after-request", "closes instead of answering", failure(CONNECT), closing((_, _) -> {}))
                .add("resets-after-request", "resets instead of answering", failure(CONNECT),
                        closing((wire, _) -> wire.reset()))
                .add("closes-in-status-line", "closes within the status line", failure(CONNECT, PROTOCOL),
                        closing((wire, _) -> wire.send("HTTP/1.1 20")))
                .add("closes-in-header", "closes within a header line", failure(PROTOCOL),
                        closing((wire, _) -> wire.send("HTTP/1.1 200 OK\r\nContent-Type: te")))
                .add("closes-after-header", "closes after a header line, before the empty one",
                        failure(CONNECT, PROTOCOL),
                        closing((wire, _) -> wire.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")))
                .add("closes-in-header-after-interim", "closes within the headers that follow an interim answer",
                        failure(PROTOCOL),
                        closing((wire, _) -> wire.send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nConte")))
                .add("closes-in-body", "closes before the end of the announced body", failure(PROTOCOL),
                        closing((wire, _) -> wire.begin("Content-Length: 1000")))
                .add("resets-in-body", "resets within the body", failure(PROTOCOL), closing((wire, _) -> {
                    wire.begin("Content-Length: 1000");
                    wire.send("begin");
                    wire.reset();
                })).add("closes-in-chunk", "closes within a chunk", failure(PROTOCOL), closing((wire, _) -> {
                    wire.begin(CHUNKED);
                    wire.send("100\r\nbegin");
                })).add("closes-before-last-chunk", "closes without the last chunk", failure(PROTOCOL),
                        closing((wire, _) -> {
                            wire.begin(CHUNKED);
                            wire.send("5\r\nbegin\r\n");
                        }))
                .add("closes-every-connection", "promises to keep each connection and closes it", PAGE,
                        closing((wire, path) -> wire.page("<title>own</title>" + path, "Connection: keep-alive")));
    }

    private static void slow(Cases cases) {
        cases.add("never-speaks", "accepts and stays silent, for robots.txt, too", failure(TIMEOUT), Wire::silence)
                .add("never-answers", "reads the request and stays silent", failure(TIMEOUT),
                        answering((wire, _) -> wire.silence()))
                .add("stops-in-header", "stays silent within the headers", failure(TIMEOUT), answering((wire, _) -> {
                    wire.send("HTTP/1.1 200 OK\r\nContent-Ty");
                    wire.silence();
                })).add("stops-in-body", "stays silent within the body", failure(TIMEOUT), answering((wire, _) -> {
                    wire.begin("Content-Length: 1000");
                    wire.send("begin");
                    wire.silence();
                })).add("drips-status-line", "sends the reason phrase without end, a byte at a time", failure(TIMEOUT),
                        answering((wire, _) -> {
                            wire.send("HTTP/1.1 200 O");
                            wire.drip("K");
                        }))
                .add("drips-header", "sends a header line without end, a byte at a time", failure(TIMEOUT),
                        answering((wire, _) -> {
                            wire.send("HTTP/1.1 200 OK\r\nX-Slow: ");
                            wire.drip("x");
                        }))
                .add("drips-body", "sends the body a byte at a time", failure(TIMEOUT), answering((wire, _) -> {
                    wire.begin("Content-Length: 1000000");
                    wire.drip("x");
                })).add("drips-chunks", "sends a chunk of one byte ten times a second, without end", failure(TIMEOUT),
                        answering((wire, _) -> {
                            wire.begin(CHUNKED);
                            wire.drip("1\r\nx\r\n");
                        }))
                .add("drips-empty-lines", "sends empty lines instead of a status line",
                        failure(TIMEOUT, PROTOCOL, TOO_LARGE), answering((wire, _) -> wire.drip("\r\n")));
    }

    private static void endless(Cases cases) {
        cases.add("endless-status-line", "a status line without end", failure(TOO_LARGE, PROTOCOL),
                answering((wire, _) -> {
                    wire.send("HTTP/1.1 200 ");
                    wire.sendForEver("x");
                })).add("endless-header-line", "a header line without end", failure(TOO_LARGE), answering((wire, _) -> {
                    wire.send("HTTP/1.1 200 OK\r\nX-Long: ");
                    wire.sendForEver("x");
                })).add("endless-headers", "header lines without end", failure(TOO_LARGE), answering((wire, _) -> {
                    wire.send("HTTP/1.1 200 OK\r\n");
                    wire.sendForEver("X-Many: x\r\n");
                }))
                .add("header-line-of-1-mb", "one header line of 1 MB", failure(TOO_LARGE),
                        answering((wire, _) -> wire.page("x", "X-Long: " + "x".repeat(1_000_000))))
                .add("headers-of-200-kb", "ten header lines of 20 KB", failure(TOO_LARGE), answering(
                        (wire, _) -> wire.page("x", ("X-Long: " + "x".repeat(20_000) + "\r\n").repeat(10).strip())))
                .add("headers-5000", "5,000 header lines", failure(TOO_LARGE),
                        answering((wire, _) -> wire.page("x", "X: x\r\n".repeat(5_000).strip())))
                .add("endless-body", "a body without end, to the close of the connection", CUT, answering((wire, _) -> {
                    wire.begin("Connection: close");
                    wire.sendForEver("<p>" + X);
                })).add("endless-chunks", "chunks without end", CUT, answering((wire, _) -> {
                    wire.begin(CHUNKED);
                    wire.sendForEver("1000\r\n" + X + "\r\n");
                })).add("endless-chunk", "one chunk of 2 GB", CUT, answering((wire, _) -> {
                    wire.begin(CHUNKED);
                    wire.send("7fffffff\r\n");
                    wire.sendForEver(X);
                })).add("endless-error-page", "a 404 with a body without end", status(404), answering((wire, _) -> {
                    wire.send("HTTP/1.1 404 Not Found\r\n" + CHUNKED + "\r\n\r\n");
                    wire.sendForEver("1000\r\n" + X + "\r\n");
                })).add("endless-chunk-extension", "a chunk size with an extension without end",
                        failure(TOO_LARGE, PROTOCOL), answering((wire, _) -> {
                            wire.begin(CHUNKED);
                            wire.send("5;x=");
                            wire.sendForEver("x");
                        }))
                .add("endless-trailers", "header lines without end after the last chunk", failure(TOO_LARGE, PROTOCOL),
                        answering((wire, _) -> {
                            wire.begin(CHUNKED);
                            wire.send("5\r\nbegin\r\n0\r\n");
                            wire.sendForEver("X-Many: x\r\n");
                        }))
                .add("endless-empty-lines", "empty lines without end instead of a status line",
                        failure(TOO_LARGE, PROTOCOL), answering((wire, _) -> wire.sendForEver("\r\n")));
    }

    private static void interim(Cases cases) {
        cases.add("endless-100-continue", "100 Continue without end", failure(TOO_LARGE, PROTOCOL),
                answering((wire, _) -> wire.sendForEver("HTTP/1.1 100 Continue\r\n\r\n")))
                .add("endless-102-processing", "102 Processing without end", failure(TOO_LARGE, PROTOCOL),
                        answering((wire, _) -> wire.sendForEver("HTTP/1.1 102 Processing\r\n\r\n")))
                .add("endless-early-hints", "103 Early Hints with 8 KB of links each, without end",
                        failure(TOO_LARGE, PROTOCOL),
                        answering((wire,
                                _) -> wire.sendForEver("HTTP/1.1 103 Early Hints\r\n"
                                        + ("Link: </" + "x".repeat(4000) + ">\r\n").repeat(2) + "\r\n")))
                .add("some-interim-answers", "three interim answers, then the page", PAGE, answering((wire, _) -> {
                    wire.send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n".repeat(3));
                    wire.page("<title>own</title>");
                })).but(c -> c.titled("own")).add("switches-protocols",
                        "101 Switching Protocols, which was not requested", failure(PROTOCOL, TIMEOUT),
                        answering((wire, _) -> {
                            wire.send(
                                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n");
                            wire.silence();
                        }));
    }
}
