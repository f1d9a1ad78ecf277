package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.answering;
import static io.trawl.testkit.hostile.HostileCorpus.failure;
import static io.trawl.testkit.hostile.TestCertificates.Certificate.EXPIRED;
import static io.trawl.testkit.hostile.TestCertificates.Certificate.NOT_YET_VALID;
import static io.trawl.testkit.hostile.TestCertificates.Certificate.SELF_SIGNED;
import static io.trawl.testkit.hostile.TestCertificates.Certificate.VALID;
import static io.trawl.testkit.hostile.TestCertificates.Certificate.WRONG_HOST;
import static io.trawl.model.FailureReason.CONNECT;
import static io.trawl.model.FailureReason.PROTOCOL;
import static io.trawl.model.FailureReason.TIMEOUT;
import static io.trawl.model.FailureReason.TLS;

import io.trawl.model.FailureReason;
import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.io.IOException;
import java.util.List;

/** Servers whose TLS is invalid, slow or none, and servers that would flood a client over HTTP/2. */
final class TlsCases {
    private static final HostileServer OWN = answering((wire, _) -> wire.page("<title>own</title>"));
    /** A record of 16 KB that contains the first bytes of a ServerHello. */
    private static final String HANDSHAKE_RECORD = "\26\3\3\77\377\2\0\77\373\3\3";

    private TlsCases() {}

    private interface Flood {
        void send(Wire wire) throws IOException, InterruptedException;
    }

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.TLS);
        certificates(cases);
        handshakes(cases);
        http2(cases);
        return cases.list();
    }

    private static void certificates(Cases cases) {
        cases.add("certificate-valid", "a valid certificate", PAGE, OWN).but(c -> c.certified(VALID).titled("own"))
                .add("certificate-of-another-host", "a certificate of another host", failure(TLS), OWN)
                .but(c -> c.certified(WRONG_HOST))
                .add("certificate-expired", "a certificate that expired in 2020", failure(TLS), OWN)
                .but(c -> c.certified(EXPIRED))
                .add("certificate-not-yet-valid", "a certificate that is valid from 2090 on", failure(TLS), OWN)
                .but(c -> c.certified(NOT_YET_VALID))
                .add("certificate-self-signed", "a self-signed certificate", failure(TLS), OWN)
                .but(c -> c.certified(SELF_SIGNED)).add("tls-closes-in-body", "ends TLS before the end of the body",
                        failure(PROTOCOL), answering((wire, _) -> {
                            wire.begin("Content-Length: 1000");
                            wire.reset();
                        }))
                .but(c -> c.certified(VALID)).add("tls-drips-body", "sends the body over TLS a byte at a time",
                        failure(TIMEOUT), answering((wire, _) -> {
                            wire.begin("Content-Length: 1000000");
                            wire.drip("x");
                        }))
                .but(c -> c.certified(VALID));
    }

    private static void handshakes(Cases cases) {
        raw(cases, "plain-http-on-tls-port", "answers a TLS handshake in plain HTTP", wire -> {
            wire.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            wire.silence();
        }, TLS);
        raw(cases, "tls-closes-at-once", "closes instead of a handshake", _ -> {}, CONNECT, TLS);
        raw(cases, "tls-resets-at-once", "resets instead of a handshake", Wire::reset, CONNECT, TLS);
        raw(cases, "tls-silent", "stays silent in the handshake", Wire::silence, TIMEOUT, TLS);
        raw(cases, "tls-drips", "sends its part of the handshake a byte at a time", wire -> {
            wire.send(HANDSHAKE_RECORD);
            wire.drip("\0");
        }, TIMEOUT, TLS);
        raw(cases, "tls-alert", "answers with an alert: handshake failure", wire -> wire.send("\25\3\3\0\2\2\50"), TLS);
        raw(cases, "tls-old-version", "answers with an alert: protocol version", wire -> wire.send("\25\3\1\0\2\2\106"),
                TLS);
        raw(cases, "tls-endless-warnings", "sends warnings without end", wire -> wire.sendForEver("\25\3\3\0\2\1\132"),
                TLS, TIMEOUT);
        raw(cases, "tls-endless-handshake", "sends empty handshake records without end",
                wire -> wire.sendForEver("\26\3\3\0\4\0\0\0\0"), TLS, TIMEOUT);
        raw(cases, "tls-record-too-long", "sends a record that is longer than TLS allows",
                wire -> wire.send("\26\3\3\377\377" + "x".repeat(65_535)), TLS);
        cases.add("tls-on-plain-port", "answers plain HTTP with a TLS alert", failure(PROTOCOL, CONNECT), wire -> {
            wire.request();
            wire.send("\25\3\3\0\2\2\12");
        });
    }

    private static void raw(Cases cases, String name, String does, HostileServer server, FailureReason... reasons) {
        cases.add(name, does, failure(reasons), server).but(c -> c.scheme("https"));
    }

    private static void http2(Cases cases) {
        flood(cases, "ping", "PING frames without end", wire -> repeat(wire, Http2Frames.ping()));
        flood(cases, "settings", "SETTINGS frames without end", wire -> repeat(wire, Http2Frames.settings(10)));
        flood(cases, "empty-settings", "empty SETTINGS frames without end",
                wire -> repeat(wire, Http2Frames.settings()));
        flood(cases, "window-update", "WINDOW_UPDATE frames without end",
                wire -> repeat(wire, Http2Frames.windowUpdate(1)));
        flood(cases, "reset", "RST_STREAM frames without end", wire -> repeat(wire, Http2Frames.reset(1)));
        flood(cases, "go-away", "GOAWAY at once", wire -> wire.send(Http2Frames.goAway()));
        flood(cases, "continuation", "CONTINUATION frames without end", wire -> {
            wire.send(Http2Frames.headers(1, false, 0));
            repeat(wire, Http2Frames.continuation(1, 1000));
        });
        flood(cases, "header-list", "a header list of 16,000 references to one field",
                wire -> repeat(wire, Http2Frames.headers(1, true, 16_000)));
        flood(cases, "empty-data", "empty DATA frames without end", wire -> {
            wire.send(Http2Frames.headers(1, true, 0));
            repeat(wire, Http2Frames.data(1, 0));
        });
        flood(cases, "endless-data", "DATA frames without end, regardless of the window", wire -> {
            wire.send(Http2Frames.headers(1, true, 0));
            repeat(wire, Http2Frames.data(1, 16_000));
        });
        flood(cases, "unknown-frames", "frames of an unknown type without end",
                wire -> repeat(wire, Http2Frames.unknown()));
    }

    /**
     * Floods a client that agrees to HTTP/2, without reading; by default Trawl does not, and gets a page over HTTP/1.1.
     */
    private static void flood(Cases cases, String name, String does, Flood flood) {
        cases.add("http2-" + name, does + ", if HTTP/2 is agreed on; else a page", PAGE, wire -> {
            if (wire.protocol().equals("h2")) {
                wire.send(Http2Frames.settings());
                flood.send(wire);
            } else {
                OWN.serve(wire);
            }
        }).but(c -> c.offeringHttp2(VALID).titled("own"));
    }

    private static void repeat(Wire wire, byte[] frame) throws IOException {
        while (true) {
            wire.send(frame);
        }
    }
}
