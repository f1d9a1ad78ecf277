package io.trawl.testkit.hostile;

import io.trawl.testkit.hostile.TestCertificates.Certificate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One hostile server.
 *
 * @param name unique, of lower-case words
 * @param does what the server does
 * @param outcomes the permitted outcomes; more than one where a limit of Trawl, and not the case, decides
 * @param url how its URL is written
 * @param tls of a server that speaks it
 * @param mostRequests the largest number of requests, robots.txt included
 * @param title that the item must have
 */
public record HostileCase(String name, CaseGroup group, String does, List<CaseOutcome> outcomes, EntryUrl url,
        Optional<ServerTls> tls, int mostRequests, Optional<String> title, HostileServer server) {
    private static final int FEW = 40;

    /** The groups of the table. */
    public enum CaseGroup {
        SERVERS("Servers"), ENCODINGS("Encodings"), TLS("TLS and HTTP/2"), PAGES("Pages"), ROBOTS(
                "robots.txt"), REDIRECTS("Redirects"), TRAPS("Endless sites");

        private final String heading;

        CaseGroup(String heading) {
            this.heading = heading;
        }

        /** The heading in the table. */
        public String heading() {
            return heading;
        }

        /** The loopback address of the group's servers. */
        String address() {
            return "127.0.1." + (ordinal() + 1);
        }
    }

    /** Serves one connection, from its beginning. */
    @FunctionalInterface
    public interface HostileServer {
        /**
         * Returns when the connection is to be closed.
         *
         * @throws IOException when the client has gone
         * @throws InterruptedException when the web is closed
         */
        void serve(Wire wire) throws IOException, InterruptedException;
    }

    /**
     * How the URL of a case is written.
     *
     * @param entry the path that the first page links to
     * @param watched the path, or the whole URL, of which the outcome is told; the entry, unless the case redirects
     */
    record EntryUrl(String scheme, String entry, String watched) {}

    /** @param http2 whether it prefers HTTP/2 */
    record ServerTls(Certificate certificate, boolean http2) {}

    HostileCase(String name, CaseGroup group, String does, List<CaseOutcome> outcomes, HostileServer server) {
        this(name, group, does, outcomes, new EntryUrl("http", "/" + name, "/" + name), Optional.empty(), FEW,
                Optional.empty(), server);
    }

    HostileCase scheme(String scheme) {
        return with(new EntryUrl(scheme, url.entry(), url.watched()), tls, mostRequests, title);
    }

    HostileCase certified(Certificate certificate) {
        return with(new EntryUrl("https", url.entry(), url.watched()), Optional.of(new ServerTls(certificate, false)),
                mostRequests, title);
    }

    HostileCase offeringHttp2(Certificate certificate) {
        return with(new EntryUrl("https", url.entry(), url.watched()), Optional.of(new ServerTls(certificate, true)),
                mostRequests, title);
    }

    HostileCase watching(String watched) {
        return with(new EntryUrl(url.scheme(), url.entry(), watched), tls, mostRequests, title);
    }

    HostileCase atMost(int requests) {
        return with(url, tls, requests, title);
    }

    HostileCase titled(String wanted) {
        return with(url, tls, mostRequests, Optional.of(wanted));
    }

    private HostileCase with(EntryUrl other, Optional<ServerTls> by, int most, Optional<String> wanted) {
        return new HostileCase(name, group, does, outcomes, other, by, most, wanted, server);
    }
}
