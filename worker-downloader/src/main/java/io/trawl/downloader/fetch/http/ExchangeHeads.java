package io.trawl.downloader.fetch.http;

import io.trawl.model.Response.ArchivedExchange;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.FormattedHeader;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageHeaders;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * The heads of an exchange as an archive holds them. Of the headers that are sent it has those that Trawl sets and no
 * others: a crawl may send credentials in any header, and archives are given to others.
 */
public final class ExchangeHeads {
    private static final Set<String> SENT = Set.of("host", "connection", "user-agent", "accept", "accept-language",
            "accept-encoding", "upgrade-insecure-requests", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-user",
            "sec-fetch-dest", "content-type", "content-length", "transfer-encoding", "if-none-match",
            "if-modified-since");
    private static final Set<String> SESSION = Set.of("set-cookie");
    private static final String CRLF = "\r\n";

    private ExchangeHeads() {}

    /**
     * Those of an exchange whose answer has begun.
     *
     * @param keepsCookies whether {@code Set-Cookie} belongs to the session of the crawl
     */
    public static ArchivedExchange of(HttpResponse response, HttpContext context, boolean keepsCookies) {
        HttpCoreContext core = HttpCoreContext.cast(context);
        ProtocolVersion version = Optional.ofNullable(response.getVersion()).orElse(HttpVersion.HTTP_1_1);
        String reason = response.getReasonPhrase() == null ? "" : response.getReasonPhrase();
        String statusLine = version + " " + response.getCode() + " " + reason + CRLF;
        return new ArchivedExchange(request(core.getRequest(), version),
                statusLine + lines(response, name -> !keepsCookies || !SESSION.contains(name)),
                Optional.ofNullable(core.getEndpointDetails()).flatMap(ExchangeHeads::address),
                version.greaterEquals(HttpVersion.HTTP_2) ? "h2" : version.format().toLowerCase(Locale.ROOT), false);
    }

    private static String request(HttpRequest request, ProtocolVersion version) {
        return request.getMethod() + " " + request.getPath() + " " + version + CRLF + lines(request, SENT::contains);
    }

    private static String lines(MessageHeaders headers, Predicate<String> kept) {
        StringBuilder lines = new StringBuilder();
        for (Iterator<Header> i = headers.headerIterator(); i.hasNext();) {
            Header header = i.next();
            if (kept.test(header.getName().toLowerCase(Locale.ROOT))) {
                lines.append(line(header)).append(CRLF);
            }
        }
        return lines.append(CRLF).toString();
    }

    /** As it was received, if it was. */
    private static String line(Header header) {
        CharArrayBuffer received = header instanceof FormattedHeader formatted ? formatted.getBuffer() : null;
        return received == null
                ? header.getName() + ": " + (header.getValue() == null ? "" : header.getValue())
                : received.toString();
    }

    private static Optional<String> address(EndpointDetails details) {
        return details.getRemoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? Optional.of(remote.getAddress().getHostAddress())
                : Optional.empty();
    }
}
