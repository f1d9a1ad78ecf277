package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.http.AddressGuard.AddressRefused;
import io.trawl.downloader.fetch.http.Exchange.Peer;
import io.trawl.downloader.fetch.http.ResponseConsumer.Answer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.protocol.HttpClientContext;

/** What an exchange says about the proxy that it went through. */
enum ProxyState {
    /** Nothing, or there was none. */
    UNKNOWN,
    /** It lets requests through, or this one not. */
    WORKS,
    /** It cannot be reached, or does not know the crawler. */
    FAILS,
    /** It opened no tunnel: the fault of the proxy, or of the host. */
    NO_TUNNEL;

    /**
     * Whether the proxy has answered instead of the host: the client returns the answer to a refused CONNECT as if it
     * were the host's, but then there is no TLS. Without a tunnel only one status can come from the proxy alone (RFC
     * 9110 section 15.5.8).
     */
    static boolean hasAnswered(Answer answer, Peer peer, HttpClientContext context) {
        return peer.proxy().isPresent() && (peer.tls() ? context.getSSLSession() == null : answer.status() == 407);
    }

    /** What an answer says. */
    static ProxyState after(Answer answer, Peer peer, HttpClientContext context) {
        if (!hasAnswered(answer, peer, context)) {
            return peer.proxy().isPresent() ? WORKS : UNKNOWN;
        }
        return switch (answer.status()) {
            case 407 -> FAILS;
            case 502, 503, 504 -> NO_TUNNEL;
            default -> WORKS;
        };
    }

    /**
     * What a failure says before there are status and headers. A request that a proxy forwards may have reached the
     * host before the connection broke; one for a tunnel has not.
     */
    static ProxyState after(Throwable cause, Peer peer, HttpClientContext context) {
        if (peer.proxy().isEmpty() || cause instanceof AddressRefused) {
            return UNKNOWN;
        }
        if (ProxyTunnel.open(context)) {
            return WORKS;
        }
        return switch (cause) {
            case ConnectException _,NoRouteToHostException _,ConnectTimeoutException _,UnknownHostException _ -> FAILS;
            case SSLException _ -> UNKNOWN;
            case IOException _ when peer.tls() && context.getSSLSession() == null -> NO_TUNNEL;
            default -> UNKNOWN;
        };
    }
}
